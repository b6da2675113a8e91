import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

function config() {
  return JSON.parse(readFileSync(join(root, 'apps/gateway/package.json'), 'utf8')).config;
}

/** What Node is given to run the gateway: its flags, which docs/performance.md explains, the program, and what the program is given. */
export function gatewayProgram(programArguments) {
  return [...config().nodeFlags, join(root, 'apps/gateway/dist/main.js'), ...programArguments];
}

/** The environment that the gateway runs in: that of this process, over what the C library's allocator is told (docs/decisions/0084). */
export function gatewayEnvironment() {
  return { ...config().environment, ...process.env };
}
