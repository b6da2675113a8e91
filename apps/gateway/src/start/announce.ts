import { existsSync } from 'node:fs';
import { MILLISECONDS_PER_SECOND } from '@tollgate/core';
import { VARIABLES } from '@tollgate/adapters-config';
import type { Gateway } from '../gateway/gateway.js';
import { services } from '../gateway/services.js';
import { type Demo, demoRequests } from './demo-account.js';

/** Hosts that stand for every address of the machine. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Where people sign in; with `npm start` the dashboard is built by then. */
function dashboardNotice({ publicUrl, container }: Gateway): string {
  const isBuilt = existsSync(new URL('index.html', container.get(services.dashboardPages)));
  return isBuilt ? `Dashboard: ${publicUrl}/dashboard\n` : 'Dashboard: not built; `npm run build` builds it.\n';
}

/** Where it listens: an address to use on this machine, and who else can reach it. */
function listeningNotice(gateway: Gateway): string {
  const { url, settings: { host } } = gateway;
  const ready = `Tollgate listening on ${url}\n`;
  if (!EVERY_ADDRESS.has(host)) return ready + dashboardNotice(gateway);
  return `${ready}${dashboardNotice(gateway)}HOST=${host}: it also listens on every other address of this machine, so other machines can reach it, without TLS.\n`;
}

/** How the first operator signs in. */
function signInNotice(link: string | null): string {
  if (link === null) return 'No operator exists yet: `npm run tollgate -- operators create EMAIL` makes one.\n\n';
  return `Sign in once, within an hour: ${link}\n\n`;
}

/** What a start prints when the gateway serves. The key is printed this once and stored nowhere. */
export function announcement(gateway: Gateway, demo: Demo | null): string {
  const { url } = gateway;
  const ready = listeningNotice(gateway);
  if (demo === null) return ready;
  const { key, model, signInLink } = demo;
  const intro = `${ready}${signInNotice(signInLink)}A demo account was made, with credit to try things out. Its key is shown this once:\n\nAPI key: ${key}\n\n`;
  if (model === null) return `${intro}No model is known yet. GET ${url}/v1/models lists them once the upstream has.\n`;
  const { chat, messages } = demoRequests({ url, key, model: model.slug });
  const nature = model.simulated ? ' (simulated)' : '';
  return `${intro}Two requests to begin with; they use the model ${model.slug}${nature}.\n\nChat-completions format:\n\n${chat}\n\nMessages format:\n\n${messages}\n\n`;
}

/** What is printed when the gateway is told to stop. */
export function stopNotice({ runningRequests, settings }: Gateway): string {
  if (runningRequests === 0) return 'Stopping.\n';
  const requests = runningRequests === 1 ? '1 running request' : `${runningRequests} running requests`;
  const seconds = settings.shutdownGraceMilliseconds / MILLISECONDS_PER_SECOND;
  return `Stopping: waiting up to ${seconds} s for ${requests}. A second Ctrl-C (or SIGTERM) ends them at once.\n`;
}

/** Printed instead of starting if arguments are given. */
export interface ArgumentsReply {
  readonly text: string;
  readonly exitCode: number;
}

const WRONGLY_CALLED = 2;
const HELP_OPTIONS: ReadonlySet<string> = new Set(['--help', '-h']);

function helpText(): string {
  const variables = Object.entries(VARIABLES).map(([name, { default: byDefault, meaning }]) => `  ${name}=${byDefault ?? ''}\n      ${meaning}\n`);
  return `npm start

Starts the gateway, which runs until it is told to stop. It takes no options but --help.

Its settings are environment variables, as in PORT=9000 npm start, or lines of a file named .env beside package.json.
The settings, with their defaults:

${variables.join('')}
See docs/configuration.md. Accounts and keys are made with: npm run -s tollgate -- --help
`;
}

/** The gateway takes its settings from the environment: options that say nothing to it must not look as if they did. `null` when there are none. */
export function replyToArguments(given: readonly string[]): ArgumentsReply | null {
  const [first] = given;
  if (first === undefined) return null;
  if (given.some((argument) => HELP_OPTIONS.has(argument))) return { text: helpText(), exitCode: 0 };
  return { text: `Unknown argument ${first}: settings are environment variables, which npm start -- --help lists.\n`, exitCode: WRONGLY_CALLED };
}
