import { type Actor, Blocklist, GATEWAY_ORIGIN, type Instant, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { services } from '@tollgate/gateway';
import { subjectsOf } from '../world/fixtures.js';
import { passDays, type Resident, type World } from '../world/open-world.js';
import { addMail } from './add-mail.js';
import { addNotes } from './add-notes.js';
import { addPayments } from './add-payments.js';
import { addVouchers } from './add-vouchers.js';
import { DAYS, type Gallery, LONG_EMAIL, LONG_NAME, makeStatements, openStart, PICTURE_TIME } from './gallery.js';
import { type SandboxModel, sandboxCatalogue } from './sandbox-catalogue.js';

/** Texts that people in a gallery have written. */
interface Names {
  readonly owner: { readonly email: string; readonly name: string };
  readonly other: { readonly email: string; readonly name: string };
  readonly keys: readonly [first: string, ...others: string[]];
  readonly users: readonly string[];
  readonly models: readonly [first: SandboxModel, ...others: SandboxModel[]];
  readonly reference: string;
  readonly reason: string;
  readonly batch: string;
}

const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const LONG_DESCRIPTION = 'A model whose description says everything that there is to say about it, and then says it once more in other words, so that it takes more lines than a card has, and goes on until it has almost reached the end of what a description may hold.';

const LONG: Names = {
  owner: { email: LONG_EMAIL, name: LONG_NAME.slice(0, 100) },
  other: { email: `${'other.'.repeat(9)}address@another-rather-long-name-of-a-company.example.com`, name: LONG_WORD },
  keys: [LONG_NAME.slice(0, 100), LONG_WORD, 'x'.repeat(100)],
  users: [`user-${'0123456789abcdef'.repeat(4)}`, LONG_WORD],
  models: [
    { id: 'a-company-with-a-long-name/a-model-with-an-even-longer-name-of-the-third-generation-2026-11-22-preview', displayName: 'A Model With an Even Longer Name of the Third Generation, Preview of November 2026', description: LONG_DESCRIPTION },
    { id: LONG_WORD.replace('ä', 'ae').toLowerCase(), displayName: LONG_WORD, description: LONG_WORD },
    { id: 'sandbox-small', displayName: 'Small', description: 'Short.' },
  ],
  reference: `invoice-2026-11-22/${'0123456789-'.repeat(8)}`,
  reason: 'The customer wrote at length about a request that had failed in the middle of a very long answer, and asked for all of it back, which we found fair after we had looked at every line of it ourselves.',
  batch: 'An apology to all customers of the region whose requests failed on that day, with a name that is rather long',
};

const RTL: Names = {
  owner: { email: 'noura@example.com', name: 'شركة الصاروخ للبرمجيات (2026)' },
  other: { email: 'dan@example.com', name: 'רקטה תוכנה בע״מ – API' },
  keys: ['مفتاح الإنتاج (eu-1)', 'מפתח לבדיקות 2', 'خادم ci – ليلي'],
  users: ['مستخدم-٤٢', 'משתמש 7'],
  models: [
    { id: 'sandbox-small', displayName: 'نموذج صغير 3.5', description: 'يجيب بسرعة، ويكلّف القليل: مناسب للخطوات الأولى (حتى 128K).' },
    { id: 'sandbox-large', displayName: 'מודל גדול v2', description: 'עונה לאט, ויודע הרבה יותר.' },
    { id: 'sandbox-third', displayName: 'Third', description: 'Left to right among others.' },
  ],
  reference: 'فاتورة 77/2026',
  reason: 'طلب العميل استرداد المبلغ بعد فشل الطلب (req 500).',
  batch: 'هدية المعرض – ربيع 2026',
};

async function addKeys({ gateway, clock }: World, { accountId }: Resident, names: readonly string[]): Promise<void> {
  const plan = gateway.container.get(services.catalogue).current().planInForce('pro' as never);
  for (const name of names) {
    clock.stopAt((clock.now() + 1) as Instant);
    await gateway.keyManagement.create({ accountId, plan, name, expiresAt: null, actor: SYSTEM_ACTOR });
  }
}

async function bookActs({ gateway, clock }: World, { accountId }: Resident, { reference, reason }: Names): Promise<void> {
  const act = { accountId, reference, reason, actor: SYSTEM_ACTOR };
  await gateway.accountAdministration.credit({ ...act, amount: ServiceTokens.parse('123456789.123456') });
  clock.stopAt((clock.now() + 1) as Instant);
  await gateway.accountAdministration.book({ ...act, reference: `${reference}.`, kind: 'correction', direction: 'lower', amount: ServiceTokens.parse('0.000001') });
}

async function openNamedGallery(names: Names): Promise<Gallery> {
  const { world, next } = await openStart({}, sandboxCatalogue(names.models));
  const { clock } = world;
  const [keyName, ...otherKeys] = names.keys;
  const owner = await next({ ...names.owner, keyName, credit: '123456789012.123456' });
  const operator = await next({ email: 'op@example.com', name: names.other.name, role: 'operator' });
  const other = await next({ ...names.other, keyName });
  clock.stopAt(PICTURE_TIME);
  await passDays(world, owner, { days: DAYS, still: true, models: names.models.map(({ id }) => id), users: names.users });
  const payments = await addPayments(world, owner);
  clock.stopAt((PICTURE_TIME - MILLISECONDS_PER_HOUR) as Instant);
  await addKeys(world, owner, otherKeys);
  await bookActs(world, owner, names);
  await addNotes(world, { about: owner, by: operator }, [names.reason]);
  const terms = { reason: names.reason, expiresAt: (PICTURE_TIME + MILLISECONDS_PER_DAY) as Instant };
  const actor: Actor = { kind: 'operator', id: operator.person.id, origin: GATEWAY_ORIGIN };
  const { outcome } = await world.gateway.container.get(Blocklist).block({ target: { kind: 'account', subject: other.accountId }, terms, actor });
  if (outcome !== 'blocked') throw new Error(`the account was not blocked: ${outcome}`);
  clock.stopAt(PICTURE_TIME);
  await addMail(world, [owner, other]);
  const vouchers = await addVouchers(world, [owner], names.batch);
  await makeStatements(world);
  return { world, people: { owner, operator }, examples: { ...await subjectsOf(world, owner, names.models[0].id), ...payments, accountId: owner.accountId, vouchers } };
}

/** Opens a gallery whose names, references and reasons are as long as permitted. */
export function openLongGallery(): Promise<Gallery> {
  return openNamedGallery(LONG);
}

/** Opens a gallery whose names, references and reasons are written from right to left, mixed with numbers and signs. */
export function openRightToLeftGallery(): Promise<Gallery> {
  return openNamedGallery(RTL);
}
