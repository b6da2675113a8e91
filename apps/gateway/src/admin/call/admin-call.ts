import type { Machine } from '@tollgate/identity';
import { invariant } from '@tollgate/core';
import type { Response } from 'express';

/** Throws on routes that are not behind `admitMachine`. */
export function machineOf(res: Response): Machine {
  const machine = res.locals['machine'] as Machine | undefined;
  invariant(machine !== undefined, 'every route of machines authenticates first');
  return machine;
}

export function putMachine(res: Response, machine: Machine): void {
  res.locals['machine'] = machine;
}
