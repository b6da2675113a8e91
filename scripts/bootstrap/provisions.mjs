import { installDependencies } from './installed.mjs';
import { provideRedisServer } from './redis-server.mjs';

/**
 * What the tests need before they can run. Each provision finds what it provides or fetches it, does nothing
 * when it is already there, and throws with a sentence for the reader when it cannot be had.
 */
const provisions = [installDependencies, provideRedisServer];

export async function provide() {
  for (const provision of provisions) await provision();
}
