import type { AssistantBlock, Conversation, ImageBlock, ImageSource, TextBlock, Turn, UserBlock } from '@tollgate/core';
import * as fc from 'fast-check';
import { saidText, writtenObject } from './arbitrary-request.js';

type Mark = () => string;

/** Makes a block once it has been given marks, each of which occurs nowhere else. */
type Marked<Block> = (mark: Mark) => Block;

/** Sometimes nothing at all, or nothing but white space, which no mark makes more of. */
const markedText: fc.Arbitrary<Marked<string>> = fc.oneof(
  { weight: 6, arbitrary: saidText.map((text) => (mark: Mark) => `${mark()}${text}`) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\n').map((blank) => () => blank) },
);

const markedTextBlock: fc.Arbitrary<Marked<TextBlock>> = markedText.map((text) => (mark) => ({ type: 'text', text: text(mark) }));

const markedImage: fc.Arbitrary<Marked<ImageBlock>> = fc.boolean().map((byUrl) => (mark) => ({
  type: 'image',
  source: byUrl ? { kind: 'url', url: `https://example.test/${encodeURIComponent(mark())}` } : { kind: 'base64', mediaType: 'image/png', data: Buffer.from(mark()).toString('base64') },
}));

const markedPart: fc.Arbitrary<Marked<TextBlock | ImageBlock>> = fc.oneof({ weight: 2, arbitrary: markedTextBlock }, { weight: 1, arbitrary: markedImage });

const markedResult: fc.Arbitrary<Marked<UserBlock>> = fc.record({ parts: fc.array(markedPart, { maxLength: 3 }), isError: fc.boolean() })
  .map(({ parts, isError }) => (mark) => ({ type: 'tool-result', toolCallId: idOf(mark), content: parts.map((part) => part(mark)), isError }));

const markedUserBlock: fc.Arbitrary<Marked<UserBlock>> = fc.oneof({ weight: 2, arbitrary: markedPart }, { weight: 1, arbitrary: markedResult });

const markedArguments = fc.oneof(writtenObject, fc.constantFrom('', ' ', '{"cut', '[1]', 'null', '7'));

const markedCall: fc.Arbitrary<Marked<AssistantBlock>> = markedArguments
  .map((text) => (mark) => ({ type: 'tool-call', id: idOf(mark), name: idOf(mark), argumentsJson: text.startsWith('{"') ? text.replace('{"', `{"${mark()}`) : text }));

const markedAssistantBlock: fc.Arbitrary<Marked<AssistantBlock>> = fc.oneof(
  { weight: 3, arbitrary: markedTextBlock },
  { weight: 1, arbitrary: fc.record({ text: markedText, signed: fc.boolean() }).map(({ text, signed }) => (mark: Mark) => ({ type: 'thinking' as const, text: text(mark), signature: signed ? 'c2lnbmVk' : null })) },
  { weight: 2, arbitrary: markedCall },
);

const markedTurn: fc.Arbitrary<Marked<Turn>> = fc.oneof(
  { weight: 4, arbitrary: fc.array(markedUserBlock, { maxLength: 4 }).map((blocks) => (mark: Mark): Turn => ({ role: 'user', content: blocks.map((block) => block(mark)) })) },
  { weight: 4, arbitrary: fc.array(markedAssistantBlock, { maxLength: 4 }).map((blocks) => (mark: Mark): Turn => ({ role: 'assistant', content: blocks.map((block) => block(mark)) })) },
  { weight: 1, arbitrary: fc.array(markedTextBlock, { maxLength: 2 }).map((blocks) => (mark: Mark): Turn => ({ role: 'system', content: blocks.map((block) => block(mark)) })) },
);

/** Marks are ids too, where only a few characters are allowed. */
function idOf(mark: Mark): string {
  return mark().replaceAll(/[^A-Za-z0-9]/g, '_');
}

function marks(): Mark {
  let count = 0;
  return () => `\u00AB${count += 1}\u00BB`;
}

/** Any conversation at all, as no client would write it: every text, id and image in it can be told from every other. */
export const markedConversation: fc.Arbitrary<Conversation> = fc.record({
  system: fc.array(markedTextBlock, { maxLength: 2 }), turns: fc.array(markedTurn, { minLength: 1, maxLength: 8 }),
}).map(({ system, turns }) => {
  const mark = marks();
  return { system: system.map((block) => block(mark)), turns: turns.map((turn) => turn(mark)) };
});

/** All that a conversation holds, by kind, each in its order. */
interface Holdings {
  /** Instructions, those in the middle of the conversation included. */
  readonly instructions: readonly string[];
  /** What users and models said, outside of tools' results. */
  readonly texts: readonly string[];
  readonly thinking: readonly string[];
  readonly images: readonly ImageSource[];
  readonly calls: readonly { readonly id: string; readonly name: string; readonly argumentsJson: string }[];
  readonly results: readonly { readonly id: string; readonly texts: readonly string[]; readonly images: readonly ImageSource[]; readonly isError: boolean }[];
}

function textsIn(blocks: readonly (UserBlock | AssistantBlock)[]): readonly string[] {
  return blocks.flatMap((block) => (block.type === 'text' && block.text.trim() !== '' ? [block.text] : []));
}

function imagesIn(blocks: readonly (UserBlock | AssistantBlock)[]): readonly ImageSource[] {
  return blocks.flatMap((block) => (block.type === 'image' ? [block.source] : []));
}

/** What a conversation holds; texts of nothing hold nothing. */
export function holdingsOf({ system, turns }: Conversation): Holdings {
  const contentOf = (of: (turn: Turn) => boolean): readonly (UserBlock | AssistantBlock)[] =>
    turns.filter(of).flatMap(({ content }): readonly (UserBlock | AssistantBlock)[] => content);
  const blocks = contentOf(({ role }) => role !== 'system');
  return {
    instructions: textsIn([...system, ...contentOf(({ role }) => role === 'system')]),
    texts: textsIn(blocks),
    thinking: blocks.flatMap((block) => (block.type === 'thinking' && block.text.trim() !== '' ? [block.text] : [])),
    images: imagesIn(blocks),
    calls: blocks.flatMap((block) => (block.type === 'tool-call' ? [{ id: block.id, name: block.name, argumentsJson: block.argumentsJson }] : [])),
    results: blocks.flatMap((block) => (block.type === 'tool-result'
      ? [{ id: block.toolCallId, texts: textsIn(block.content), images: imagesIn(block.content), isError: block.isError }]
      : [])),
  };
}
