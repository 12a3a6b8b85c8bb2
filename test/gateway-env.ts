// The environment of a program that reads from a stand-in gateway.
import type { Sandbox } from '../src/sandbox/sandbox.ts';

export const gatewayEnv = ({ url, apiKey, apiSecret }: Pick<Sandbox, 'url' | 'apiKey' | 'apiSecret'>) => ({
  GATEWAY_BASE_URL: url,
  GATEWAY_API_KEY: apiKey,
  GATEWAY_API_SECRET: apiSecret,
  GATEWAY_RPM: '100000', // as fast as it answers
});
