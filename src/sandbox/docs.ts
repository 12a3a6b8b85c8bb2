// The document of the contract and its browsable page. Both are public, and no part of the gateway: they are neither
// logged nor touched by faults.
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { openapi } from '../gateway/contract/contract.ts';

const DOCUMENT_PATH = '/openapi.json';
const PAGE_PATH = '/docs';

/** Made once: it takes longer than the rest of the server. */
const DOCUMENT = openapi();

/** Whether a target belongs to the stand-in itself, not to the gateway that it stands in for. */
export const isBesideGateway = (target: string): boolean =>
  ['/__world', DOCUMENT_PATH, PAGE_PATH].some((path) => target.startsWith(path));

/** The page loads nothing from another host. */
const OWN_FILES_ONLY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; frame-ancestors 'none'";

/** Adds the document and the page, whose files come with the package: it needs no other host. */
export const docsRoutes = (server: FastifyInstance): void => {
  server.get(DOCUMENT_PATH, (_, reply) => reply.send(DOCUMENT));
  server.register(swagger, { mode: 'static', specification: { document: DOCUMENT as never } });
  server.register(swaggerUi, {
    routePrefix: PAGE_PATH,
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'none',
      deepLinking: true,
      filter: true,
      validatorUrl: null,
    },
    theme: { title: 'Gateway API' },
    staticCSP: OWN_FILES_ONLY,
  });
};
