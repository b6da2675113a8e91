import { MemoryRateLimiter } from '@tollgate/adapters-memory';
import { UpstreamRouter } from '@tollgate/adapters-upstream';
import { Authenticator, HeldRequest, RunningGenerations } from '@tollgate/core';
import Database from 'better-sqlite3';
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

/** In the middle of the transaction: the balance is debited and the charge booked, and the usage record has just been written. */
function insideSettle(pass: Pass): void {
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
  'after-admission': (pass) => watchMethod(MemoryRateLimiter, 'admit', { after: passing(pass) }),
  // A reserved request joins the running ones before anything else happens to it.
  'after-reserve': (pass) => watchMethod(RunningGenerations, 'add', { before: pass }),
  'before-upstream': (pass) => watchMethod(UpstreamRouter, 'open', { before: pass }),
  'after-upstream': (pass) => watchMethod(UpstreamRouter, 'open', { after: passing(pass) }),
  'first-output': atStream('first'),
  'middle': atStream('middle'),
  'last-output': atStream('last'),
  'before-settle': (pass) => watchMethod(HeldRequest, 'end', { before: (...given) => isEndOfService(given) && pass() }),
  'inside-settle': insideSettle,
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
