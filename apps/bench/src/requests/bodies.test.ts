import { describe, expect, it } from '@jest/globals';
import { type Body, conversationBody, largeBody, smallBody, typicalBody } from './bodies.js';

interface Chat {
  readonly model: string;
  readonly messages: readonly { readonly content: string | null }[];
  readonly tools?: readonly unknown[];
}

function chatOf({ text }: Body): Chat {
  return JSON.parse(text) as Chat;
}

describe('the bodies', () => {
  it.each([['small', smallBody(), 200, 400], ['agent', typicalBody(), 55_000, 65_000], ['large', largeBody(), 1_400_000, 1_600_000]])(
    'weigh what their names say: %s', (_name, { text }, least, most) => {
      expect(text.length).toBeGreaterThanOrEqual(least);
      expect(text.length).toBeLessThanOrEqual(most);
    });

  it('have as many messages and tools as an agent has', () => {
    const { messages, tools } = chatOf(typicalBody());
    expect([messages.length, tools?.length]).toEqual([40, 20]);
    expect(chatOf(conversationBody(200)).messages).toHaveLength(200);
  });

  it('are the same every time', () => {
    expect(typicalBody()).toEqual(typicalBody());
  });
});
