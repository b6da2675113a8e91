import { type Instant, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, Statements, SYSTEM_ACTOR } from '@tollgate/core';
import { addResident, type Environment, openWorld, passDays, type Resident, type ResidentOptions, type World } from '../world/open-world.js';
import { subjectsOf } from '../world/fixtures.js';
import { addMachines } from './add-machines.js';
import { addNotes } from './add-notes.js';
import { addMail } from './add-mail.js';
import { addPayments } from './add-payments.js';
import { addVouchers } from './add-vouchers.js';
import type { Examples } from './examples.js';
import type { Viewer } from './state.js';

export const PICTURE_TIME = Date.parse('2026-11-22T14:02:11.204Z') as Instant;
export const DAYS = 30;

/** A world with people in it. Its clock stands still. */
export interface Gallery {
  readonly world: World;
  readonly people: Readonly<Partial<Record<Exclude<Viewer, 'stranger'>, Resident>>>;
  readonly examples: Examples;
}

/** A name that is so long that pages must cut it. */
export const LONG_NAME = 'A customer whose name is as long as names may be, and who calls everything by its full name, in every place';
export const LONG_EMAIL = `${'long.'.repeat(11)}address@a-rather-long-name-of-a-company.example.com`;

async function addKeys({ gateway, clock }: World, { accountId }: Resident): Promise<void> {
  const { services } = await import('@tollgate/gateway');
  const plan = gateway.container.get(services.catalogue).current().planInForce('pro' as never);
  const soon = (clock.now() + 5 * MILLISECONDS_PER_DAY) as Instant;
  for (const [name, expiresAt] of [['ci', null], ['notebook of the research group', soon]] as const) {
    // Each key has an instant of its own, because keys of one instant are sorted by their random ids.
    clock.stopAt((clock.now() + 1) as Instant);
    await gateway.keyManagement.create({ accountId, plan, name, expiresAt, actor: SYSTEM_ACTOR });
  }
  clock.stopAt(PICTURE_TIME);
}

/** Opens an empty world whose clock is `DAYS` + 1 days before `PICTURE_TIME`. Each `next` advances the clock by a minute and adds a resident. */
export async function openStart(environment: Environment, catalogue: object | null = null): Promise<{ readonly world: World; readonly next: (options: ResidentOptions) => Promise<Resident> }> {
  // There are no rate limits: pictures are taken faster than people open pages, and no minute ends while the clock stands still.
  const start = (PICTURE_TIME - (DAYS + 1) * MILLISECONDS_PER_DAY) as Instant;
  const world = await openWorld({ UNBILLED_PER_MINUTE_ADDRESS: '0', UNBILLED_PER_MINUTE_ACCOUNT: '0', ...environment }, start, catalogue);
  const { clock } = world;
  clock.stopAt(start);
  return {
    world,
    // Residents are added one after the other, because lists order simultaneous events by random ids.
    next: (options) => {
      clock.stopAt((clock.now() + MILLISECONDS_PER_MINUTE) as Instant);
      return addResident(world, options);
    },
  };
}

/** Opens a world with a customer, an operator and other people, after a month of use. */
export async function openGallery(environment: Environment = {}): Promise<Gallery> {
  const { world, next } = await openStart(environment);
  const { clock } = world;
  const owner = await next({ email: 'ada@example.com', name: 'Ada' });
  const operator = await next({ email: 'op@example.com', name: 'Operator', role: 'operator' });
  clock.stopAt(PICTURE_TIME);
  await passDays(world, owner, { days: DAYS, still: true });
  const payments = await addPayments(world, owner);
  clock.stopAt((PICTURE_TIME - MILLISECONDS_PER_HOUR) as Instant);
  const newcomer = await next({ email: 'new@example.com', name: 'Newcomer', credit: '0' });
  const longNamed = await next({ email: LONG_EMAIL, name: LONG_NAME.slice(0, 100), keyName: LONG_NAME.slice(0, 100), credit: '123456789012.123456' });
  const scratch = await next({ email: 'scratch@example.com', name: 'Scratch' });
  await addKeys(world, owner);
  clock.stopAt((PICTURE_TIME - MILLISECONDS_PER_HOUR) as Instant);
  await addMachines(world);
  await addNotes(world, { about: owner, by: operator }, ['Prefers to be called in the morning.\nPays by bank transfer, so credit is added by hand.', 'Asked for more requests a minute from December.']);
  clock.stopAt(PICTURE_TIME);
  await addMail(world, [owner, longNamed]);
  const vouchers = await addVouchers(world, [scratch, longNamed]);
  await makeStatements(world);
  const examples = { ...await subjectsOf(world, owner), ...payments, accountId: owner.accountId, vouchers };
  return { world, people: { owner, operator, newcomer, longNamed, scratch }, examples };
}

/** Makes the statements of all months that have ended. */
export async function makeStatements({ gateway }: World): Promise<void> {
  const statements = gateway.container.get(Statements);
  while ((await statements.makeSome()).outcome === 'more');
}
