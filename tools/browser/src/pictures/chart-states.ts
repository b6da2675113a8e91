import { dialog, shown } from '../driver/page-states.js';
import { changed } from './replies.js';
import { ALL_LOOKS, type NamedState } from './state.js';

const LIMITS = ['sandbox-small', 'a-model-whose-name-is-as-long-as-names-of-models-may-be-0123456789'].map((model, index) => ({
  object: 'incident_limit', model, requests_per_minute: 1_000, tokens_per_minute: index === 0 ? null : 120_000_000, concurrent_requests: 12, expires_at: index === 0 ? null : '2026-11-22T18:00:00Z', set_at: '2026-11-22T12:00:00Z', set_by: null,
}));

/** Replaces the times to the first token, which are all zero because the clock of the pictures stands still. */
const withTimes = changed('/**/first-token?*', (body) => {
  const timed = (list: unknown) => (list as readonly Readonly<Record<string, unknown>>[]).map((one, index) => ({ ...one, p50: 320 + ((index * 7) % 5) * 40, p95: 900 + ((index * 11) % 7) * 210 }));
  return { ...body, is_sampled: true, total: { requests: 4_800, p50: 384, p95: 1_710 }, data: timed(body['data']), models: timed(body['models']) };
});

/** Times to the first token, and limits of models in force. */
export const CHART_STATES: readonly NamedState[] = [
  { name: 'usage-first-token', viewer: 'owner', path: '/usage?measure=first_token', prepare: withTimes, act: (page) => shown(page.getByRole('img', { name: /first token within/ })) },
  { name: 'usage-first-token-table', viewer: 'owner', path: '/usage?measure=first_token&view=table', prepare: withTimes, act: async (page) => { await page.getByRole('button', { name: /^By model/ }).click(); await dialog(page, /by model/); } },
  { name: 'empty-first-token', viewer: 'newcomer', path: '/usage?measure=first_token', act: (page) => shown(page.getByText('No request in this period had output.')) },
  { name: 'operator-first-token', viewer: 'operator', path: '/operator/overview', looks: ALL_LOOKS, prepare: withTimes, act: async (page) => { await page.getByRole('button', { name: 'First token' }).click(); await shown(page.getByRole('img', { name: /first token within/ })); } },
  { name: 'incidents-limits', viewer: 'operator', path: '/operator/incidents', looks: ALL_LOOKS, prepare: changed('/operator/incident-limits', (body) => ({ ...body, data: LIMITS })), act: (page) => shown(page.getByRole('button', { name: 'End limit' }).first()) },
];
