import { expect, it } from '@jest/globals';
import type { NextFunction, Request, Response } from 'express';
import { checkFraming } from './check-framing.js';

it('accepts ordinary framings and refuses all others', () => {
  const passed: unknown[] = [];
  const send = (headers: Request['headers']): unknown => checkFraming({ headers } as Request, {} as Response, (() => passed.push(headers)) as NextFunction);
  send({});
  send({ 'transfer-encoding': 'chunked' });
  expect(passed).toHaveLength(2);
  expect(() => send({ 'transfer-encoding': 'gzip, chunked' })).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});
