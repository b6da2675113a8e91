import { MemoryRateLimiter } from '@tollgate/adapters-memory';
import { FallbackRateLimiter } from '@tollgate/adapters-redis';
import { UpstreamRouter } from '@tollgate/adapters-upstream';
import { Authenticator, HeldRequest, RunningGenerations } from '@tollgate/core';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import type { KillPoint } from './kill-point.js';
import { type StreamMoment, watchStream } from './watch-stream.js';
import { watchMethod } from './watch-method.js';

/** Called each time the point is passed. */
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

/** The statement has gone to the server, which carries it out for nobody: its answer comes to a process that is gone. */
function insideSharedSettle(pass: Pass): void {
  let sends = false;
  watchMethod(Client, 'query', {
    before: (query) => void (sends = isSettlement(query)),
    after: (answer) => (sends && pass(), answer),
    when: 'called',
  });
}

/** In the middle of the transaction: the balance is debited and the charge booked, and the usage record has just been written. */
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
  // A reserved request joins the running ones before anything else happens to it.
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

/** Has `pass` called at a point of every request from now on. To be called before the gateway is put together. */
export function placeKillPoint(point: KillPoint, pass: Pass): void {
  PLACES[point](pass);
}
