import type { Environment } from '@tollgate/adapters-config';
import { Gateway } from './gateway.js';
import { type FoundationOverrides, openFoundation } from './open-foundation.js';

/**
 * Starts the gateway that an environment asks for; what is given besides takes the place of its own.
 * Throws `StartRefused` when the environment cannot be used.
 */
export async function createGateway(environment: Environment, overrides: FoundationOverrides = {}): Promise<Gateway> {
  const foundation = await openFoundation(environment, overrides);
  try {
    return await Gateway.start(foundation);
  } catch (thrown) {
    await foundation.close();
    throw thrown;
  }
}
