import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { leaveToClient, onceLeftToClient } from './leave-to-client.js';

describe('a reply', () => {
  let res: ServerResponse;
  let acts: string[];

  beforeEach(() => {
    res = new ServerResponse(new IncomingMessage(new Socket()));
    acts = [];
    for (const name of ['first', 'second']) onceLeftToClient(res, () => acts.push(name));
  });

  it('that is marked as fully written calls each listener once, however often it is marked and ended', () => {
    leaveToClient(res);
    leaveToClient(res);
    res.emit('prefinish');
    res.emit('close');
    expect(acts).toEqual(['first', 'second']);
  });

  it.each(['prefinish', 'close'])('that is never marked as fully written calls its listeners at %s', (event) => {
    res.emit(event);
    res.emit(event);
    expect(acts).toEqual(['first', 'second']);
  });

  it('that was marked as fully written calls a listener added afterwards when it ends', () => {
    leaveToClient(res);
    onceLeftToClient(res, () => acts.push('late'));
    expect(acts).toEqual(['first', 'second']);
    res.emit('close');
    expect(acts).toEqual(['first', 'second', 'late']);
  });
});
