import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AccountId, type Clock, type Instant, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, type PlanId, ServiceTokens, SYSTEM_ACTOR,
} from '@tollgate/core';
import { type Person, type PersonRole, readPassword } from '@tollgate/identity';
import { createGateway, createLog, type Gateway, services } from '@tollgate/gateway';

/** The system clock with an offset that tests can set; it can also stand still. Its timers always run in real time. */
class MovableClock implements Clock {
  #offset = 0;
  #stopped: Instant | null = null;

  now(): Instant {
    return this.#stopped ?? (Date.now() + this.#offset) as Instant;
  }

  /** Sets the time; the clock runs from there. */
  set(time: Instant): void {
    this.#stopped = null;
    this.#offset = time - Date.now();
  }

  advance(milliseconds: number): void {
    this.set((this.now() + milliseconds) as Instant);
  }

  stopAt(time: Instant): void {
    this.#stopped = time;
  }

  schedule(milliseconds: number, run: () => void): () => void {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  }
}

/** The password of every person in the world. */
export const PASSWORD = 'correct horse battery';
const CREDIT = '1000000';
const PLAN = 'pro' as PlanId;

/** A person with an account, a balance and a key. */
export interface Resident {
  readonly person: Person;
  readonly email: string;
  readonly accountId: AccountId;
  /** The key's secret; empty if there is no key. */
  readonly secret: string;
}

export interface ResidentOptions {
  readonly email: string;
  readonly name: string;
  readonly role?: PersonRole;
  /** Credit in service tokens. */
  readonly credit?: string;
  /** Name of the key; `null` for no key. */
  readonly keyName?: string | null;
}

export type Environment = Readonly<Record<string, string>>;

/** A gateway in this process with a folder and a database of its own, and with the built dashboard. */
export interface World {
  /** The running gateway; a restart puts a new one in its place. */
  readonly gateway: Gateway;
  readonly clock: MovableClock;
  readonly origin: string;
  /** Folder with `tollgate.db`, and with mailed messages in `mail`. */
  readonly folder: string;
  /** Lines of the log, of all levels. */
  readonly log: readonly string[];
  /** Stops the gateway, runs `meanwhile`, and starts a gateway at the same address. `changed` are settings that apply from then on. */
  restart(meanwhile?: () => Promise<void> | void, changed?: Environment): Promise<void>;
  close(): Promise<void>;
}

const WARNING = 40;

/** A log that keeps all lines in a list, and prints warnings. */
function keptLog(lines: string[]): ReturnType<typeof createLog> {
  return createLog('trace', {
    write: (line) => {
      lines.push(line);
      if ((JSON.parse(line) as { readonly level: number }).level >= WARNING) process.stderr.write(line);
    },
  });
}

/**
 * @param environment settings of the gateway, which override the defaults of this function
 * @param time at which the gateway's clock begins; `null` for the current time
 * @param catalogue contents of the catalogue file; `null` for the sandbox models
 */
export async function openWorld(environment: Environment = {}, time: Instant | null = null, catalogue: object | null = null): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-browser-'));
  const file = join(folder, 'catalogue.yaml');
  if (catalogue !== null) writeFileSync(file, JSON.stringify(catalogue));
  const clock = new MovableClock();
  if (time !== null) clock.set(time);
  let settings = {
    PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}`, SECRET_FILE: join(folder, 'secret'), MAIL_FOLDER: join(folder, 'mail'), ...(catalogue === null ? {} : { CATALOG_FILE: file }), ...environment,
  };
  const log: string[] = [];
  const start = (port: string): Promise<Gateway> => createGateway({ ...settings, PORT: port }, (container) => {
    container.rebind(services.clock).toConstantValue(clock);
    container.rebind(services.log).toConstantValue(keptLog(log));
  });
  let gateway = await start(settings.PORT);
  return {
    clock, folder, log, origin: gateway.publicUrl,
    get gateway() { return gateway; },
    restart: async (meanwhile, changed = {}) => {
      settings = { ...settings, ...changed };
      const { port } = new URL(gateway.url);
      await gateway.close();
      await meanwhile?.();
      gateway = await start(port);
    },
    close: async () => {
      await gateway.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Adds a person who has signed up and verified the address, and has credit and a key. */
export async function addResident({ gateway, clock }: World, { email, name, role = 'owner', credit = CREDIT, keyName = 'first key' }: ResidentOptions): Promise<Resident> {
  const person = await verifiedPerson(gateway, { email, name, at: clock.now() });
  const { accountId } = person;
  if (accountId === null) throw new Error('the verified person has no account');
  await gateway.accountAdministration.change(accountId, { planId: PLAN }, SYSTEM_ACTOR);
  if (credit !== '0') await gateway.accountAdministration.credit({ accountId, amount: ServiceTokens.parse(credit), reference: 'first credit', actor: SYSTEM_ACTOR });
  if (role === 'operator') await gateway.people.setRole(person.id, role, { actor: SYSTEM_ACTOR, at: clock.now() });
  if (keyName === null) return { person, email, accountId, secret: '' };
  const made = await gateway.keyManagement.create({ accountId, plan: gateway.container.get(services.catalogue).current().planInForce(PLAN), name: keyName, expiresAt: null, actor: SYSTEM_ACTOR });
  if (made.outcome !== 'created') throw new Error(`the key was not made: ${made.outcome}`);
  return { person, email, accountId, secret: made.issued.secret.reveal() };
}

async function verifiedPerson({ people }: Gateway, { email, name, at }: { readonly email: string; readonly name: string; readonly at: Instant }): Promise<Person> {
  const read = readPassword(PASSWORD);
  if (read.outcome !== 'read') throw new Error(read.outcome);
  const registered = await people.register({ email, name, password: read.password, at });
  if (registered.outcome !== 'created') throw new Error(`${email} could not sign up: ${registered.outcome}`);
  const issued = await people.issueToken({ personId: registered.id, purpose: 'verify-email', expiresAt: (at + MILLISECONDS_PER_HOUR) as Instant, at });
  const person = await people.redeem({ purpose: 'verify-email', token: issued?.token ?? '', password: PASSWORD }, at);
  if (person === null) throw new Error(`${email} could not be verified`);
  return person;
}

const MODELS = ['sandbox-small', 'sandbox-reasoner', 'sandbox-large'];

interface DaysToPass {
  readonly days: number;
  /** True to stop the clock during requests, so that durations are the same in every run. */
  readonly still?: boolean;
  /** Models that the requests name in turn; default: those of the sandbox. */
  readonly models?: readonly string[];
  /** Users that the requests name in turn; some requests name none. */
  readonly users?: readonly string[];
}

/** Sends requests on each of the last `days` days, in two formats. */
export async function passDays(world: World, resident: Resident, { days, still = false, models: wanted = MODELS, users = [] }: DaysToPass): Promise<void> {
  const { clock } = world;
  const now = clock.now();
  const move = (time: Instant): void => (still ? clock.stopAt(time) : clock.set(time));
  const offered = world.gateway.container.get(services.catalogue).current().models.map(({ slug }) => String(slug));
  const models = wanted.filter((model) => offered.includes(model));
  for (let day = days; day >= 0; day -= 1) {
    const requests = 1 + ((day * 7) % 5);
    for (let request = 0; request < requests; request += 1) {
      move((now - day * MILLISECONDS_PER_DAY - request * 7 * 60_000) as Instant);
      await sendRequest(world, resident, { model: models[(day + request) % models.length] ?? '', tokens: 40 + ((day * 37 + request * 13) % 400), isMessages: request % 2 === 1, user: users[(day * 3 + request) % (users.length + 1)] });
    }
  }
  move(now);
}

interface RequestToSend {
  readonly model: string;
  readonly tokens: number;
  readonly isMessages: boolean;
  readonly user?: string | undefined;
}

/** Sends a request, and reads the whole reply. */
export async function sendRequest({ gateway }: World, { secret }: Resident, { model, tokens, isMessages, user }: RequestToSend): Promise<void> {
  const named = user === undefined ? {} : isMessages ? { metadata: { user_id: user } } : { user };
  const body = JSON.stringify({ model, max_tokens: 1_000, messages: [{ role: 'user', content: `Hello. [[tokens:${tokens}]]` }], ...named });
  const [path, key] = isMessages ? ['/v1/messages', { 'x-api-key': secret }] : ['/v1/chat/completions', { authorization: `Bearer ${secret}` }];
  const response = await fetch(gateway.url + path, { method: 'POST', headers: { ...key, 'content-type': 'application/json' }, body });
  if (!response.ok) throw new Error(`a request to ${path} returned ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
