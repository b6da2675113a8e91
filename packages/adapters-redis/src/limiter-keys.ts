import { type AccountId, type AdmissionTicket, type Demand, type IncidentLimit, type Instant, invariant, type ModelSlug } from '@tollgate/core';

/** Where Redis keeps an account's counts. The braces put all of them on one node of a cluster, as one script needs them. */
export interface AccountKeys {
  readonly window: string;
  readonly slots: string;
  readonly caps: string;
}

/** Names one setting of an incident limit, and with it the counts that begin with it. */
export type IncidentName = Pick<IncidentLimit, 'model' | 'setAt'>;

/** Where Redis keeps what an account asked of a model under an incident limit. */
export type IncidentKeys = Pick<AccountKeys, 'window' | 'slots'>;

export function accountKeys(prefix: string, accountId: AccountId): AccountKeys {
  const account = accountPrefix(prefix, accountId);
  return { window: `${account}window`, slots: `${account}slots`, caps: `${account}caps` };
}

export function incidentKeys(prefix: string, accountId: AccountId, { model, setAt }: IncidentName): IncidentKeys {
  const incident = `${accountPrefix(prefix, accountId)}incident:${setAt}:${model}:`;
  return { window: `${incident}window`, slots: `${incident}slots` };
}

function accountPrefix(prefix: string, accountId: AccountId): string {
  return `${prefix}limits:{${accountId}}:`;
}

/** The keys of one command: an account's, then those of the incident limits that the command names. */
export interface CommandKeys {
  readonly all: readonly string[];
  /** The place of an incident limit among them, from 1; 0 for none. */
  numberOf(incident: IncidentName | null): number;
}

/** Begins every key, and whose they are. */
export interface KeyOwner {
  readonly prefix: string;
  readonly accountId: AccountId;
}

export function commandKeys({ prefix, accountId }: KeyOwner, incidents: readonly (IncidentName | null)[]): CommandKeys {
  const { window, slots, caps } = accountKeys(prefix, accountId);
  const all = [window, slots, caps];
  const numbers = new Map<string, number>();
  for (const incident of incidents) {
    if (incident === null || numbers.has(nameOf(incident))) continue;
    const keys = incidentKeys(prefix, accountId, incident);
    all.push(keys.window, keys.slots);
    numbers.set(nameOf(incident), numbers.size + 1);
  }
  return { all, numberOf: (incident) => (incident === null ? 0 : numbers.get(nameOf(incident)) ?? 0) };
}

function nameOf({ model, setAt }: IncidentName): string {
  return `${setAt}:${model}`;
}

/** The slots that requests of this process hold, by the key that Redis keeps them under: what its renewals name. */
export class HeldSlots {
  readonly #members = new Map<string, Set<string>>();
  #size = 0;

  get byKey(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#members;
  }

  /** Requests that hold slots, however many each holds. */
  get size(): number {
    return this.#size;
  }

  /** A request's slots have one name under all keys; the first key decides whether it is held. */
  add([first, ...others]: SlotKeys, member: string): void {
    if (this.#put(first, member)) this.#size += 1;
    for (const key of others) this.#put(key, member);
  }

  remove([first, ...others]: SlotKeys, member: string): void {
    if (this.#take(first, member)) this.#size -= 1;
    for (const key of others) this.#take(key, member);
  }

  #put(key: string, member: string): boolean {
    const members = this.#members.get(key) ?? new Set();
    this.#members.set(key, members);
    return members.size < members.add(member).size;
  }

  #take(key: string, member: string): boolean {
    const members = this.#members.get(key);
    const wasHeld = members?.delete(member) === true;
    if (members?.size === 0) this.#members.delete(key);
    return wasHeld;
  }
}

export type SlotKeys = readonly [account: string, ...incident: readonly string[]];

/** Where a request counts for an incident limit. */
export interface IncidentContent extends IncidentName {
  /** As that of the account's window. */
  readonly windowStartedAt: number | null;
}

/**
 * What a ticket says. It holds all that a release needs, so any process can send it and none has to remember it.
 * `member` is the slot's name, and ends in the tokens that the request was admitted for.
 */
export interface TicketContent {
  readonly accountId: AccountId;
  readonly kind: Demand['kind'];
  readonly member: string;
  readonly tokens: number;
  /** Start of the window the request counts in, in Unix milliseconds; `null` when the admission's answer was lost. */
  readonly windowStartedAt: number | null;
  readonly incident: IncidentContent | null;
}

/** `kind:window:name:tokens:incident:account`; the account comes last because only it may hold colons. */
export function encodeTicket({ accountId, kind, member, windowStartedAt, incident }: TicketContent): AdmissionTicket {
  return `${kind}:${windowStartedAt ?? ''}:${member}:${incident === null ? '' : encodeIncident(incident)}:${accountId}` as AdmissionTicket;
}

const TICKET = /^(generation|count):(\d*):([^:]+:(\d+)):(?:(\d+)\/(\d*)\/([^:]+))?:(.+)$/s;

export function decodeTicket(ticket: AdmissionTicket): TicketContent {
  const [, kind, startedAt, member, tokens, setAt, incidentStartedAt, model, accountId] = TICKET.exec(ticket) ?? [];
  invariant(kind !== undefined && member !== undefined, 'a ticket comes from the admission that made it');
  return {
    accountId: accountId as AccountId,
    kind: kind as Demand['kind'],
    member,
    tokens: Number(tokens),
    windowStartedAt: decodeStart(startedAt),
    incident: model === undefined ? null : {
      model: decodeURIComponent(model) as ModelSlug, setAt: Number(setAt) as Instant, windowStartedAt: decodeStart(incidentStartedAt),
    },
  };
}

/** `setting/window/model`, with no colon in the model. */
function encodeIncident({ model, setAt, windowStartedAt }: IncidentContent): string {
  return `${setAt}/${windowStartedAt ?? ''}/${encodeURIComponent(model)}`;
}

function decodeStart(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text);
}

/** Which limiter made a ticket: the shared one, or the local one of an outage. */
export type TicketOrigin = 'shared' | number;

export interface OriginatedTicket {
  readonly origin: TicketOrigin;
  readonly ticket: AdmissionTicket;
}

export function markTicket({ origin, ticket }: OriginatedTicket): AdmissionTicket {
  return `${origin}/${ticket}` as AdmissionTicket;
}

export function unmarkTicket(marked: AdmissionTicket): OriginatedTicket {
  const end = marked.indexOf('/');
  invariant(end > 0, 'a ticket comes from the admission that made it');
  const origin = marked.slice(0, end);
  return { origin: origin === 'shared' ? 'shared' : Number(origin), ticket: marked.slice(end + 1) as AdmissionTicket };
}
