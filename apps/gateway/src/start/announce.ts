import { existsSync } from 'node:fs';
import { MILLISECONDS_PER_SECOND } from '@tollgate/core';
import type { Gateway } from '../composition/gateway.js';
import { services } from '../composition/services.js';
import type { Demo } from './demo-account.js';
import { demoRequests } from './demo-requests.js';

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
  if (model === null) return `${intro}No model is known yet. GET ${url}/v1/models lists them once the upstream has told them.\n`;
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
