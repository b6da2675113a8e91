import type { Container } from 'inversify';
import { services, type Services } from '../gateway/services.js';

/** What takes the place of a gateway's own, by its name in `services`. */
export type Replacements = Partial<Services>;

/**
 * Replaces services of a container before they are made. With a store of its own a gateway takes no secret, and a log that a test
 * gives does not go to standard error.
 */
export function rebind(container: Container, replacements: Replacements): void {
  const { store, log } = replacements;
  const all = { ...(store === undefined ? {} : { secret: null }), ...(log === undefined ? {} : { logWriter: null }), ...replacements };
  for (const name of Object.keys(all) as (keyof Services)[]) container.rebind<unknown>(services[name]).toConstantValue(all[name]);
}
