import type { Turn } from '@tollgate/core';

export const text = (words: string) => ({ type: 'text', text: words }) as const;
export const call = { type: 'tool-call', id: 'c1', name: 'look', argumentsJson: '{"a": 1.0}' } as const;
export const otherCall = { ...call, id: 'c2' };
/** The result of `call`. */
export const result = { type: 'tool-result', toolCallId: 'c1', content: [text('seen')], isError: false } as const;
export const image = { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } } as const;
export const user = (...content: Extract<Turn, { role: 'user' }>['content']): Turn => ({ role: 'user', content });
export const assistant = (...content: Extract<Turn, { role: 'assistant' }>['content']): Turn => ({ role: 'assistant', content });
export const system = (words: string): Turn => ({ role: 'system', content: [text(words)] });
