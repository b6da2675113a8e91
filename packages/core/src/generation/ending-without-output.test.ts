import { describe, expect, it } from '@jest/globals';
import { OUTPUT_STEP_TOKENS, ProviderFailure, ServiceTokens, tokenCount } from '../index.js';
import { AT_REST, extendedBy, GenerationWorld, readAll } from '../test-support/generation-world.js';
import { aModel, endStep, Gate, type ProviderScript, textSteps } from '@tollgate/testkit';

/** Cost of the prompt; a token of output costs 2. */
const PROMPT = 5;
const CUT_OFF = PROMPT + 2 * OUTPUT_STEP_TOKENS;
/** More output than the first reservation covers, in one batch. */
const LARGE = 'x'.repeat(5000);
const LONG_MODEL = aModel({ maxOutputTokens: tokenCount(20_000) });

type Happening = 'ends' | 'fails' | 'leaves';
type Extension = 'succeeds' | 'is refused' | 'throws';
type Delivery = 'stream' | 'whole';

const REST: Readonly<Record<Happening, ProviderScript['steps']>> = {
  ends: [endStep(null)], fails: [{ type: 'fail', failure: new ProviderFailure('unavailable', 'broke off') }], leaves: [{ type: 'hang' }],
};

interface Case {
  readonly delivery: Delivery;
  /** Output before the batch that outgrows the reservation. */
  readonly first: readonly string[];
  readonly extension: Extension;
  readonly happening: Happening;
}

/** Runs one request whose second or only batch outgrows its reservation; a client that leaves does so during the extension. */
async function run({ delivery, first, extension, happening }: Case): Promise<GenerationWorld> {
  const [gate, leaving] = [new Gate(), new AbortController()];
  const world = await GenerationWorld.create({
    models: [LONG_MODEL],
    wrap: (ports) => ({ ...ports, ledger: extendedBy(ports.ledger, async (...command) => {
      await gate.opened;
      if (extension === 'throws') throw new Error('connection lost');
      return extension === 'succeeds' ? ports.ledger.extend(...command) : { outcome: 'insufficient', available: ServiceTokens.ZERO };
    }) }),
  });
  world.provider.script('small', { steps: [...textSteps(...first, LARGE), ...REST[happening]] });
  const reading = world.generate({ delivery, signal: leaving.signal }).then(readAll).catch(() => null);
  await world.clock.advanceAsync(1);
  if (happening === 'leaves') leaving.abort();
  gate.open();
  await reading;
  expect(await world.atRest()).toEqual(AT_REST);
  return world;
}

async function endingOf(given: Case): Promise<string> {
  const [reason, , charge] = await (await run(given)).ending();
  return `${reason} ${charge}`;
}

describe.each<readonly [Delivery, first: readonly string[]]>([['stream', []], ['stream', ['abc']], ['whole', []], ['whole', ['abc']]])(
  'a request (%s) that outgrows its reservation after the output %j', (delivery, first) => {
    const before = 2 * first.join('').length;
    const [delivered, all] = [PROMPT + before, PROMPT + before + 2 * LARGE.length];
    const failed = before === 0 || delivery === 'whole' ? 'internal_error 0' : `internal_error ${delivered}`;
    const left = delivery === 'whole' ? PROMPT : delivered;

    it.each<readonly [happening: Happening, extension: Extension, ending: string]>([
      ['ends', 'succeeds', `completed ${all}`],
      ['ends', 'is refused', `balance_exhausted ${CUT_OFF}`],
      ['ends', 'throws', failed],
      ['fails', 'succeeds', delivery === 'whole' ? 'provider_unavailable 0' : `provider_failed ${all}`],
      ['fails', 'is refused', `balance_exhausted ${CUT_OFF}`],
      ['fails', 'throws', failed],
      ['leaves', 'succeeds', `client_left ${left}`],
      ['leaves', 'is refused', delivery === 'whole' ? `balance_exhausted ${CUT_OFF}` : `client_left ${left}`],
      ['leaves', 'throws', `client_left ${left}`],
    ])('then %s, while the extension %s: ends as %s', async (happening, extension, ending) => {
      expect(await endingOf({ delivery, first, extension, happening })).toBe(ending);
    });
  },
);
