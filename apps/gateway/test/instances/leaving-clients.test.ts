import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { type JsonObject, outputTokensOf } from '@tollgate/core';
import { Gate, OneTokenPerCharacter, replies, type ScriptedUpstream } from '@tollgate/testkit';
import { services } from '../../src/composition/services.js';
import type { TestCaller } from '../../src/test-support/start-test-gateway.js';
import { CHAT } from '../acceptance/support/formats.js';
import { AMPLE_PLAN, catalogueFile, modelEntry, scriptedEntry } from '../acceptance/support/scripted-catalogue.js';
import { Deployment } from './support/deployment.js';
import { MODELS, planDepartures } from './support/planned-departures.js';
import { promiseSettings, say } from './support/promise-settings.js';
import { type Departure, runDepartures } from './support/run-departures.js';
import { SET_UPS } from './support/set-up.js';

const SETTINGS = promiseSettings();
/** More slots than there are concurrent clients, because a slot stays taken after a disconnection until the settlement. */
const SLOTS = 100;
/** Time limit for 1,000 streams on a busy machine. */
const RUN_MILLISECONDS = 180_000;

function catalogue(upstream: ScriptedUpstream): JsonObject {
  const more = { max_output_tokens: 20_000 };
  return catalogueFile(
    { openai: scriptedEntry(upstream), anthropic: scriptedEntry(upstream, { kind: 'anthropic' }), responses: scriptedEntry(upstream, { kind: 'responses' }) },
    Object.fromEntries(MODELS.map((slug) => [slug, modelEntry(slug, { upstream: slug.slice(3), more })])),
    { slotted: { ...AMPLE_PLAN, concurrent_requests: SLOTS } },
  );
}

/** The first piece that was not relayed as a whole. */
function nextPiece({ planned: { pieces }, relayed }: Departure): string {
  let end = 0;
  return pieces.find((piece) => (end += piece.length) > relayed.length) ?? '';
}

function billed({ record }: Departure): number {
  return record === null ? 0 : outputTokensOf(record.usage);
}

/** True if the upstream's end arrived while the client was disconnecting. Then all output is charged, also what was not delivered. */
function endedUnseen({ record }: Departure): boolean {
  return record?.reason === 'client_left' && record.usage.source === 'reported';
}

function described(departure: Departure): object {
  const { planned: { number, format, model, moment, pace, leavesBy, leavesAfterBytes, pieces }, got, relayed, call, record } = departure;
  return {
    number, format: format.name, model, moment, pace, leavesBy, leavesAfterBytes, pieces: pieces.map(({ length }) => length),
    got: got.length, relayed: relayed.length, billed: billed(departure), call, reason: record?.reason, source: record?.usage.source,
  };
}

describe.each(SET_UPS)(`${SETTINGS.streams} streams whose clients may disconnect (seed ${SETTINGS.seed}), over $name`, (setUp) => {
  let deployment: Deployment;
  let caller: TestCaller;
  let departures: readonly Departure[] = [];

  beforeAll(async () => {
    deployment = await Deployment.start({ setUp, catalogue, services: { estimator: new OneTokenPerCharacter(), clock: new ManualClock() } });
    caller = await deployment.addCaller({ planId: 'slotted', credit: '10000000' });
    departures = await runDepartures(deployment, caller, planDepartures(SETTINGS.seed, SETTINGS.streams));
  }, RUN_MILLISECONDS);
  afterAll(() => deployment.close());

  function left(): readonly Departure[] {
    return departures.filter(({ hasLeft }) => hasLeft);
  }

  it('include clients that disconnect before the first byte, after it, and not at all', () => {
    const dealt = [left().filter(({ got }) => got === ''), left().filter(({ got }) => got !== ''), departures.filter(({ hasLeft }) => !hasLeft)];
    expect(dealt.map(({ length }) => length > SETTINGS.streams / 20)).toEqual([true, true, true]);
  });

  it('are charged for at least the relayed output, and at most one chunk more', () => {
    const wrong = departures.filter((departure) => !endedUnseen(departure)).filter((departure) => {
      const { relayed } = departure;
      return billed(departure) < relayed.length || billed(departure) > relayed.length + nextPiece(departure).length;
    });
    expect(wrong.map(described)).toEqual([]);
  });

  it('are charged for exactly the relayed output if the client disconnects before the end of the reply', () => {
    const early = departures.filter(({ record }) => record?.reason === 'client_left' && record.usage.source === 'counted');
    expect(early.length).toBeGreaterThan(SETTINGS.streams / 4);
    expect(early.filter((departure) => billed(departure) !== departure.relayed.length).map(described)).toEqual([]);
  });

  it('are charged as the upstream reports if the end of its reply had arrived', () => {
    const wrong = departures.filter(endedUnseen).filter((departure) => billed(departure) !== departure.planned.pieces.join('').length || departure.call?.ended !== 'completed');
    expect(wrong.map(described)).toEqual([]);
  });

  it('contain the output of the upstream in order and without gaps', () => {
    expect(departures.filter(({ planned, got, relayed }) => !relayed.startsWith(got) || !planned.pieces.join('').startsWith(relayed)).map(described)).toEqual([]);
  });

  it('have a usage record if they reached the upstream or relayed output', () => {
    expect(departures.filter(({ record, relayed, call }) => record === null && (relayed !== '' || call !== null)).map(described)).toEqual([]);
  });

  it('have their upstream requests aborted without a timer: the clock of the gateways stands still', () => {
    const stopped = left().filter(({ call }) => call !== null && call.ended !== 'completed');
    say(SETTINGS, `${setUp.name}: ${departures.length} streams, ${left().length} left, ${stopped.length} aborted at the upstream`);
    expect(stopped.length).toBeGreaterThan(SETTINGS.streams / 4);
    expect(stopped.filter(({ call }) => call?.ended === 'running').map(described)).toEqual([]);
  });

  it('leave no reservation and no difference between ledger and balances', async () => {
    expect(await deployment.balanceOf(caller.account.id)).toMatchObject({ reserved: '0' });
    expect(await deployment.differences()).toEqual([]);
  });

  it('leave every slot free', async () => {
    expect(deployment.gateways.map(({ container }) => container.get(services.limiter).heldSlots)).toEqual(deployment.gateways.map(() => 0));
    const gate = new Gate();
    deployment.upstream.always('*', replies({ text: ['Held.'] }, { pauses: [{ before: 2, gate }] }));
    const ask = (number: number): Promise<Response> => fetch(`${deployment.gateway(number).url}${CHAT.path}`, {
      method: 'POST',
      headers: { 'x-api-key': caller.key, 'content-type': 'application/json' },
      body: JSON.stringify(CHAT.body('by-openai', 'Hold.', { stream: true })),
    });
    const held = await Promise.all(Array.from({ length: SLOTS }, (_, number) => ask(number)));
    expect(held.map(({ status }) => status)).toEqual(held.map(() => 200));
    expect((await ask(0)).status).toBe(429);
    gate.open();
    for (const reply of held) expect(CHAT.readStream(await reply.text()).text).toBe('Held.');
  });
});
