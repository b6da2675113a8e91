import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** What Node is given to run the gateway: its flags, which docs/decisions/0032, 0036 and 0037 explain, the program, and what the program is given. */
export function gatewayProgram(programArguments) {
  const { config } = JSON.parse(readFileSync(join(root, 'apps/gateway/package.json'), 'utf8'));
  return [...config.nodeFlags, join(root, 'apps/gateway/dist/main.js'), ...programArguments];
}
