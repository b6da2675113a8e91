import { MILLISECONDS_PER_SECOND } from '@tollgate/core';
import type { Gateway } from '../composition/gateway.js';
import type { Demo } from './demo-account.js';
import { demoRequests } from './demo-requests.js';

/** Hosts that stand for every address of the machine. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Where it listens: an address to use on this machine, and who else can reach it. */
function listeningNotice({ url, settings: { host } }: Gateway): string {
  const ready = `Tollgate listening on ${url}\n`;
  if (!EVERY_ADDRESS.has(host)) return ready;
  return `${ready}HOST=${host}: it also listens on every other address of this machine, so other machines can reach it, without TLS.\n`;
}

/** How the first operator signs in. */
function signInNotice(link: string | null): string {
  if (link === null) return 'No operator exists yet: `npm run tollgate -- operators create EMAIL` makes one.\n\n';
  return `Sign in as the operator, once and within an hour: ${link}\n\n`;
}

/** What a start prints when the gateway serves. The key is printed this once and stored nowhere. */
export function announcement(gateway: Gateway, demo: Demo | null): string {
  const { url } = gateway;
  const ready = listeningNotice(gateway);
  if (demo === null) return ready;
  const { key, model, signInLink } = demo;
  const intro = `${ready}\nA demo account was made, with credit to try things out. Its key is shown this once:\n\nAPI key: ${key}\n\n${signInNotice(signInLink)}`;
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
