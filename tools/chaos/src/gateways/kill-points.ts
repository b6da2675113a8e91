import { Authenticator, HeldRequest, type ProviderEventBatch, type ProviderStream, RunningGenerations } from '@tollgate/core';
import { MemoryRateLimiter } from '@tollgate/adapters-memory';
import { FallbackRateLimiter } from '@tollgate/adapters-redis';
import { UpstreamRouter } from '@tollgate/adapters-upstream';
import Database from 'better-sqlite3';
import { Client } from 'pg';

/** Points in the course of a request at which a gateway can be killed, in their order. */
export const KILL_POINTS = [
  'after-auth', 'after-admission', 'after-reserve', 'before-upstream', 'after-upstream', 'first-output', 'middle', 'last-output',
  'before-settle', 'inside-settle', 'after-settle',
] as const;

export type KillPoint = (typeof KILL_POINTS)[number];

/** When a gateway kills itself: at the nth passing of a point, counted from 1. */
export interface Death {
  readonly point: KillPoint;
  readonly passing: number;
}

/** An order to a gateway: to die at a point, or to write into a file what it is waiting for. */
export type GatewayOrder = { readonly order: 'die'; readonly death: Death } | { readonly order: 'report'; readonly file: string };

/** A message from a gateway to the chaos run. */
export type GatewayNews =
  | { readonly news: 'process'; readonly processId: string }
  | { readonly news: 'listening'; readonly port: number };

export type StreamMoment = 'first' | 'middle' | 'last';

const MIDDLE = 4;

function isMoment(moment: StreamMoment, position: number, batch: ProviderEventBatch): boolean {
  const isLast = batch.at(-1)?.type === 'provider-end';
  switch (moment) {
    case 'first': return position === 1;
    case 'middle': return position === MIDDLE && !isLast;
    case 'last': return isLast;
  }
}

/** Wraps a stream so that `pass` is called when it returns the chosen batch. */
export function watchStream(answer: unknown, moment: StreamMoment, pass: () => void): ProviderStream {
  const stream = answer as ProviderStream;
  let position = 0;
  return {
    next: async () => {
      const result = await stream.next();
      position += 1;
      if (result.done !== true && isMoment(moment, position, result.value)) pass();
      return result;
    },
    get statedPrompt() {
      return stream.statedPrompt;
    },
    return: () => stream.return(),
  };
}

type Method = (this: unknown, ...given: unknown[]) => unknown;

interface MethodWatch {
  /** Called with the arguments before the method runs. */
  readonly before?: (...given: readonly unknown[]) => void;
  /** Called with the result of the method, or with that of its promise if `when` is `answered`. Its return value becomes the result. */
  readonly after?: (answer: unknown) => unknown;
  /** `called`: `after` runs when the method returns. `answered`: `after` runs when its promise resolves. */
  readonly when?: 'called' | 'answered';
}

/** Wraps a method of all instances. Throws if there is no such method, so that a renaming is noticed. */
export function watchMethod(watched: { readonly prototype: object }, name: string, { before, after, when = 'answered' }: MethodWatch): void {
  const prototype = watched.prototype as Record<string, unknown>;
  const original = prototype[name];
  if (typeof original !== 'function') throw new Error(`the method ${name} for a kill point does not exist`);
  prototype[name] = function watchedMethod(this: unknown, ...given: unknown[]): unknown {
    before?.(...given);
    const answer = (original as Method).apply(this, given);
    if (after === undefined) return answer;
    return when === 'answered' && answer instanceof Promise ? answer.then(after) : after(answer);
  };
}

type Pass = () => void;

function atStream(moment: StreamMoment): (pass: Pass) => void {
  return (pass) => watchMethod(UpstreamRouter, 'open', { after: (stream) => watchStream(stream, moment, pass) });
}

function isEndOfService(given: readonly unknown[]): boolean {
  const [ending] = given as readonly [{ readonly reason: string } | undefined];
  return ending?.reason === 'completed';
}

function isSettlement(query: unknown): boolean {
  const { name, values } = query as { readonly name?: string; readonly values?: readonly unknown[] };
  return name === 'tollgate-money' && String(values?.[0]).includes('"kind":"settle"');
}

/** Calls `pass` when the settlement is on its way. The server executes the statement even if its client dies before the reply. */
function insideSharedSettle(pass: Pass): void {
  let sends = false;
  watchMethod(Client, 'query', {
    before: (query) => void (sends = isSettlement(query)),
    after: (answer) => (sends && pass(), answer),
    when: 'called',
  });
}

/** Calls `pass` within the transaction of a settlement, when balance, charge and usage record have been written. */
function insideOwnSettle(pass: Pass): void {
  watchMethod(Database, 'prepare', {
    after: (answer) => {
      const statement = answer as Database.Statement;
      if (!statement.source.startsWith('INSERT INTO usage_records')) return statement;
      const run = statement.run.bind(statement);
      return Object.assign(statement, {
        run: (...given: unknown[]) => {
          const result = run(...given);
          pass();
          return result;
        },
      });
    },
  });
}

const PLACES: Readonly<Record<KillPoint, (pass: Pass) => void>> = {
  'after-auth': (pass) => watchMethod(Authenticator, 'authenticate', { after: passing(pass) }),
  'after-admission': (pass) => {
    watchMethod(MemoryRateLimiter, 'admit', { after: passing(pass) });
    watchMethod(FallbackRateLimiter, 'admit', { after: passing(pass) });
  },
  // After its reservation, a request is first added to the running generations.
  'after-reserve': (pass) => watchMethod(RunningGenerations, 'add', { before: pass }),
  'before-upstream': (pass) => watchMethod(UpstreamRouter, 'open', { before: pass }),
  'after-upstream': (pass) => watchMethod(UpstreamRouter, 'open', { after: passing(pass) }),
  'first-output': atStream('first'),
  'middle': atStream('middle'),
  'last-output': atStream('last'),
  'before-settle': (pass) => watchMethod(HeldRequest, 'end', { before: (...given) => isEndOfService(given) && pass() }),
  'inside-settle': (pass) => {
    insideOwnSettle(pass);
    insideSharedSettle(pass);
  },
  'after-settle': (pass) => watchMethod(HeldRequest, 'end', { after: passing(pass) }),
};

function passing(pass: Pass): (answer: unknown) => unknown {
  return (answer) => {
    pass();
    return answer;
  };
}

/** Calls `pass` whenever a request is at this point. Must be called before the gateway is composed. */
export function placeKillPoint(point: KillPoint, pass: Pass): void {
  PLACES[point](pass);
}
