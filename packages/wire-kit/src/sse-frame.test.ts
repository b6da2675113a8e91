import { describe, expect, it } from '@jest/globals';
import { sseFrame } from './sse-frame.js';

describe('a server-sent event', () => {
  it('is a data line and an empty line', () => {
    expect(sseFrame(null, '{"a":1}')).toBe('data: {"a":1}\n\n');
  });

  it('has its event line first', () => {
    expect(sseFrame('ping', '{}')).toBe('event: ping\ndata: {}\n\n');
  });

  it('is not ended by line breaks in its text', () => {
    const hostile = 'a\n\ndata: {"b":1}\r\n\r\nevent: x\rend';
    const frame = sseFrame(null, JSON.stringify({ hostile }));
    expect(frame.indexOf('\n')).toBe(frame.length - 2);
    expect(frame).not.toContain('\r');
    expect(JSON.parse(frame.slice('data: '.length))).toEqual({ hostile });
  });
});
