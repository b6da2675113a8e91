import { type Instant, MILLISECONDS_PER_DAY, SYSTEM_ACTOR } from '@tollgate/core';
import { copyRecords, copyRows, type OwnColumns, withDatabase } from '../world/copy-rows.js';
import { subjectsOf } from '../world/fixtures.js';
import type { World } from '../world/open-world.js';
import { addMachines } from './add-machines.js';
import { addMail } from './add-mail.js';
import { addPayments } from './add-payments.js';
import { addVouchers } from './add-vouchers.js';
import type { Examples } from './examples.js';
import { DAYS, type Gallery, makeStatements, openStart, PICTURE_TIME } from './gallery.js';
import { sandboxCatalogue } from './sandbox-catalogue.js';

const RECORDS = 50_000;
const ACCOUNTS = 900;
/** Number of keys that the owner has. */
const KEYS = 199;

const FAMILIES = ['Aster', 'Birch', 'Cedar', 'Dahlia', 'Elder', 'Fern'];
const SIZES = ['Nano', 'Small', 'Large', 'Vision'];
const MODELS = FAMILIES.flatMap((family) => SIZES.map((size) => ({
  id: `${family}-${size}`.toLowerCase(), displayName: `${family} ${size}`, description: `${size} model of the family ${family}, for text and for work with tools.`,
})));
const COMPANIES = ['Acorn Studio', 'Blue Lantern', 'Corner Bakery', 'Delta Freight', 'Evergreen Labs', 'Foxglove', 'Granite Bank', 'Harbour Clinic', 'Ironwood', 'Juniper School', 'Kite & Sons', 'Rocket'];
const KEY_NAMES = ['ci', 'staging', 'notebook', 'batch job', 'production', 'support bot', 'search'];
const USERS = ['ann', 'ben', 'chloe', 'dmitri', 'emma'];
const ENDS = [...Array.from({ length: 17 }, () => 'completed'), 'client_left', 'provider_failed', 'balance_exhausted'];
const PLANS = ['pay-as-you-go', 'starter', 'pro', 'business'];

/** SQL for one of the texts, chosen by `index`. */
function oneOf(texts: readonly string[], index = 'n'): string {
  return `json_extract('${JSON.stringify(texts).replaceAll("'", "''")}', '$[' || (${index} % ${texts.length}) || ']')`;
}

const START = PICTURE_TIME - DAYS * MILLISECONDS_PER_DAY;
/** SQL for instants that spread the copies evenly over the month. */
function spread(count: number): string {
  return `${START} + n * ${Math.floor((DAYS * MILLISECONDS_PER_DAY) / (count + 1))}`;
}

const EMAIL = `'team' || n || '@' || lower(replace(replace(${oneOf(COMPANIES)}, ' ', ''), '&', '-')) || '.example'`;

/** Columns of accounts without people; every fortieth is suspended. */
const ACCOUNT: OwnColumns = {
  id: "printf('acct_%022d', n)", email: EMAIL, email_folded: EMAIL,
  name: `${oneOf(COMPANIES)} || ' ' || n`, plan_id: oneOf(PLANS), status: "CASE n % 40 WHEN 7 THEN 'suspended' ELSE 'active' END", suspension_reason: "CASE n % 40 WHEN 7 THEN 'Invoices are unpaid.' END",
  created_at: spread(ACCOUNTS), updated_at: spread(ACCOUNTS), balance: 'n * n * 104729 % 9000000000', reserved: '0', event_sequence: '0',
};

const KEY: OwnColumns = {
  id: "printf('key_%022d', n)", name: `${oneOf(KEY_NAMES)} || ' ' || n`, hash: "printf('%064d', n)", hint: "printf('sk-Ab\u2026%04d', n)", created_at: spread(KEYS), updated_at: spread(KEYS),
  last_used_at: `CASE WHEN n % 5 = 0 THEN NULL ELSE ${PICTURE_TIME} - n * 3600000 END`, revoked_at: `CASE WHEN n % 11 = 3 THEN ${PICTURE_TIME} - n * 60000 END`,
};

const SIZE = '(1 + n * 37 % 23)';

function record({ accountId }: Examples): OwnColumns {
  const model = oneOf(MODELS.map(({ id }) => id), '(n * n)');
  const columns = ['uncached_prompt_tokens', 'visible_output_tokens', 'charge'].map((name) => [name, `${name} * ${SIZE}`] as const);
  const started = `(${START} + n * ${Math.floor((DAYS * MILLISECONDS_PER_DAY) / (RECORDS + 1))})`;
  const ended = `(${started} + 400 + n * 37 % 9000)`;
  return {
    ...Object.fromEntries(columns), served_by: model, requested_model: model, end_reason: oneOf(ENDS, '(n * 7)'), attribution: oneOf(USERS),
    account_id: `CASE WHEN n % 5 = 0 THEN printf('acct_%022d', 1 + n * n % ${ACCOUNTS}) ELSE '${accountId}' END`, key_id: `printf('key_%022d', 1 + n * n % ${KEYS})`,
    started_at: started, first_output_at: `(${started} + 120 + n * 13 % 700)`, ended_at: ended, settled_at: ended, day: `date(${ended} / 1000, 'unixepoch')`,
  };
}

function fill(world: World, examples: Examples, customer: string): void {
  withDatabase(world, (database) => {
    copyRows(database, { table: 'accounts', id: { column: 'id', value: customer }, count: ACCOUNTS, own: ACCOUNT });
    copyRows(database, { table: 'api_keys', id: { column: 'id', value: examples.keyId }, count: KEYS - 1, own: KEY });
    copyRecords(database, { requestId: examples.requestId, count: RECORDS - 1, from: START as Instant, to: PICTURE_TIME, own: record(examples) });
  });
}

/** Opens a gallery with 50,000 requests in a month, 900 customers, and an owner with 199 keys. */
export async function openLargeGallery(): Promise<Gallery> {
  const { world, next } = await openStart({}, sandboxCatalogue(MODELS));
  const owner = await next({ email: 'ada@example.com', name: 'Ada' });
  const operator = await next({ email: 'op@example.com', name: 'Operator', role: 'operator' });
  const made = await world.gateway.accountAdministration.create({ email: 'team0@example.com', name: 'Customer', planId: 'pro' as never, emailVerified: true, actor: SYSTEM_ACTOR });
  if (made.outcome !== 'created') throw new Error(`the customer was not created: ${made.outcome}`);
  world.clock.stopAt(PICTURE_TIME);
  const payments = await addPayments(world, owner);
  await addMachines(world);
  await addMail(world, [owner]);
  const vouchers = await addVouchers(world, [owner]);
  await makeStatements(world);
  const examples = { ...await subjectsOf(world, owner, MODELS[0]?.id), ...payments, accountId: owner.accountId, vouchers };
  await world.restart(() => fill(world, examples, made.account.id));
  return { world, people: { owner, operator }, examples };
}
