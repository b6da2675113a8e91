import type { ReceivedDelivery } from '@tollgate/kit';
import type { Row } from '../books/database-view.js';

export const EVENTS_QUERY = 'select id, account_id, account_sequence from events order by seq';

interface Webhooks {
  /** Events that were written before the webhook was created. */
  readonly earlier: readonly Row[];
  readonly received: readonly ReceivedDelivery[];
}

const NO_ANSWER = 0;
const ACCEPTED = 202;
const REFUSED = 400;

/**
 * Differences between the deliveries and the events of the database. There is one if an event did not reach the shop, or came under another id, or if
 * the shop accepted a forged one.
 */
export function wrongDeliveries({ earlier, received }: Webhooks, events: readonly Row[]): readonly string[] {
  return [...missingEvents({ earlier, received }, events), ...foreignEvents(received, events), ...wrongAnswers(received)];
}

function missingEvents({ earlier, received }: Webhooks, events: readonly Row[]): readonly string[] {
  const known = new Set([...earlier.map(([id]) => id), ...received.filter(({ passedOn }) => passedOn.includes(ACCEPTED)).map(({ id }) => id)]);
  return events.flatMap(([id, account, sequence]) => (known.has(id) ? [] : [`event ${id} (${account} ${sequence}) never reached the shop`]));
}

function foreignEvents(received: readonly ReceivedDelivery[], events: readonly Row[]): readonly string[] {
  const stored = new Map(events.map(([id, account, sequence]) => [id, `${account} ${sequence}`]));
  return received.flatMap(({ id, account, sequence }) => (stored.get(id) === `${account} ${sequence}` ? [] : [`event ${id} (${account} ${sequence}) was delivered, but the database has ${stored.get(id) ?? 'no such event'}`]));
}

function wrongAnswers(received: readonly ReceivedDelivery[]): readonly string[] {
  return received.flatMap(({ id, forged, passedOn }) => [
    ...forged === REFUSED || forged === NO_ANSWER ? [] : [`the shop answered ${forged} to a forged copy of event ${id}`],
    ...passedOn.filter((status) => status !== ACCEPTED && status !== NO_ANSWER).map((status) => `the shop answered ${status} to event ${id}`),
  ]);
}

export function webhookNote(received: readonly ReceivedDelivery[]): string {
  const events = new Set(received.map(({ id }) => id)).size;
  const failed = received.filter(({ fate, passedOn }) => fate !== 'doubled' || !passedOn.includes(ACCEPTED)).length;
  const passedOn = received.reduce((sum, { passedOn: { length } }) => sum + length, 0);
  const refused = received.filter(({ forged }) => forged === REFUSED).length;
  return `${received.length} deliveries of ${events} events: ${failed} failed, ${passedOn} copies reached the shop, which refused ${refused} forged ones`;
}
