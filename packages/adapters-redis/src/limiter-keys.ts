import { type AccountId, type AdmissionTicket, type Demand, type IncidentLimit, type Instant, invariant, type ModelSlug } from '@tollgate/core';

/** The braces keep an account's keys on one cluster node, as a script requires. */
export interface AccountKeys {
  readonly window: string;
  readonly slots: string;
  readonly caps: string;
}

/** Identifies one setting of an incident limit, and its counts. */
export type IncidentName = Pick<IncidentLimit, 'model' | 'setAt'>;

/** Per account and model. */
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

/** An account's keys, then those of the command's incident limits. */
export interface CommandKeys {
  readonly all: readonly string[];
  /** From 1; 0 for none. */
  numberOf(incident: IncidentName | null): number;
}

/** Prefix and account. */
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

/** Slots of this process by Redis key, for renewals. */
export class HeldSlots {
  readonly #members = new Map<string, Set<string>>();
  #size = 0;

  get byKey(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#members;
  }

  get size(): number {
    return this.#size;
  }

  /** A request's slots have the same name under all keys; the first key decides whether it is held. */
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

export interface IncidentContent extends IncidentName {
  /** As of the account's window. */
  readonly windowStartedAt: number | null;
}

/** Contains everything for a release, so that any process can send it. `member` is the slot's name and ends in the admitted tokens. */
export interface TicketContent {
  readonly accountId: AccountId;
  readonly kind: Demand['kind'];
  readonly member: string;
  readonly tokens: number;
  /** In Unix milliseconds; `null` if the admission's reply was lost. */
  readonly windowStartedAt: number | null;
  readonly incident: IncidentContent | null;
}

/** `kind:window:name:tokens:incident:account`; only the account may contain colons. */
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

/** `setting/window/model`, without colons in the model. */
function encodeIncident({ model, setAt, windowStartedAt }: IncidentContent): string {
  return `${setAt}/${windowStartedAt ?? ''}/${encodeURIComponent(model)}`;
}

function decodeStart(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text);
}

/** The shared limiter, or the local one of an outage. */
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
