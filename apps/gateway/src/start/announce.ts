import type { Demo } from './demo-account.js';
import { demoRequests } from './demo-requests.js';

/** What a start prints when the gateway serves. The key is printed this once and stored nowhere. */
export function announcement(url: string, demo: Demo | null): string {
  const ready = `Tollgate listening on ${url}\n`;
  if (demo === null) return ready;
  const { key, model } = demo;
  const intro = `${ready}\nA demo account was made, with credit to try things out. Its key is shown this once:\n\nAPI key: ${key}\n\n`;
  if (model === null) return `${intro}No model can be had yet. GET ${url}/v1/models lists them once the upstream has told them.\n`;
  const { chat, messages } = demoRequests({ url, key, model: model.slug });
  const nature = model.simulated ? ' (simulated)' : '';
  return `${intro}Two requests to begin with; they use the model ${model.slug}${nature}.\n\nChat-completions format:\n\n${chat}\n\nMessages format:\n\n${messages}\n\n`;
}
