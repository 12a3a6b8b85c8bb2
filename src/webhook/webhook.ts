// The webhook room: receives the platform's requests to authorize transactions, stores each with its answer, and answers.
import { FailedError, UsageError } from '../base/errors.ts';
import { aborted, untilSignal } from '../base/signal.ts';
import type { Config, WebhookConfig } from '../config/environment.ts';
import { NOTIFICATIONS } from '../gateway/contract/contract.ts';
import { hasKey } from '../land/land.ts';
import { withBooks } from '../run/run.ts';
import { answerBy } from './answering.ts';
import { policyOf } from './policy.ts';
import { CLOSE_MS, closeServer, serverOf, type WebhookEvent } from './server.ts';

export type { WebhookEvent } from './server.ts';

/** The path of the contract; a part in braces stands for any text. */
const WEBHOOK_PATH = NOTIFICATIONS.authorization.path;

type ServeOptions = {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
  /** Called once, with the address and path that requests go to. */
  readonly onListening: (url: string) => void;
  readonly onEvent: (event: WebhookEvent) => void;
};

/**
 * Serves the webhook until the signal, and answers what arrived before it. Throws a UsageError if the settings or the books
 * do not allow to begin. It is no run: it takes no lock, and a nightly run works beside it.
 */
export const serveWebhook = (config: WebhookConfig, options: ServeOptions): Promise<void> => {
  const { host, port, path, signal, onListening, onEvent } = options;
  const policy = policyOf(config.webhook);
  const route = routeOf(path);
  return untilSignal(signal, CLOSE_MS, (serving) =>
    withBooks({ ...config, signal: serving.signal }, async (database) => {
      await requireRead(database.db, config);
      const answer = answerBy(database, { policy, mainEntity: config.entity });
      const server = serverOf({ key: config.webhook.key, path: route, answer, onEvent });
      serving.begin();
      try {
        onListening((await listening(server, { host, port })) + path);
        await aborted(signal);
      } finally {
        await closeServer(server);
      }
    }),
  );
};

/** Entities are known by the user ids of their first night. */
const requireRead = async (db: Parameters<typeof hasKey>[0], { entity }: Config): Promise<void> => {
  if (!(await hasKey(db, entity)))
    throw new UsageError(
      `the books of ${entity} have read nothing yet, so no transaction can be assigned to an entity: run npx tieout nightly first`,
    );
};

const PATH = /^(?:\/(?:[\w.~-]+|\{\w+\}))+$/;

/** The path in the form of the server: `{vendor}` becomes `:vendor`. */
const routeOf = (path: string): string => {
  const names = path.match(/\{\w+\}/g) ?? [];
  if (!PATH.test(path) || new Set(names).size < names.length)
    throw new UsageError(`--path ${path}: write a path such as ${WEBHOOK_PATH}`);
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
};

type Address = { readonly host: string; readonly port: number };

const listening = async (server: ReturnType<typeof serverOf>, place: Address): Promise<string> => {
  try {
    return await server.listen(place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new FailedError(
      `${place.host} port ${place.port} cannot be used (${code}): choose another with --host and --port`,
    );
  }
};
