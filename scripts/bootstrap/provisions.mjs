import { chromium, provideProgram, redisServer } from './debian-package.mjs';
import { installDependencies } from './installed.mjs';

/**
 * What the tests need before they can run. Each provision finds what it provides or fetches it, does nothing
 * when it is already there, and throws with a sentence for the reader when it cannot be had.
 */
const provisions = [installDependencies, () => provideProgram(redisServer), () => provideProgram(chromium)];

export async function provide() {
  for (const provision of provisions) await provision();
}
