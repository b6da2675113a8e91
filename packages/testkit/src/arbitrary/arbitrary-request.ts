import {
  type AssistantBlock, type Conversation, type GenerationRequest, type ImageBlock, type ImageSource, type JsonDocument, type JsonObject,
  type Reasoning, type Sampling, type SystemTurn, type TextBlock, type ThinkingBlock, tokenCount, type TokenCount, type Tool,
  type ToolCallBlock, type ToolChoice, type Turn, type UserBlock,
} from '@tollgate/core';
import * as fc from 'fast-check';
import { anyCharacter, arbitraryText } from './arbitrary-reply.js';

const SOMETHING = /\S/;

const EVERY_HALF = /\p{Surrogate}/gu;

/**
 * Strings that match a pattern. The generator is built on first use, because building all of them took 6 % of the CPU of each test file that loads
 * the gateway.
 */
export function matching(pattern: RegExp): fc.Arbitrary<string> {
  let strings: fc.Arbitrary<string> | null = null;
  return fc.constant(null).chain(() => strings ??= fc.stringMatching(pattern));
}

/** Text as it is after a request is parsed, which replaces lone surrogates by U+FFFD. */
export const sentText: fc.Arbitrary<string> = arbitraryText.map((text) => text.replace(EVERY_HALF, '\u{FFFD}'));

export const saidText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: sentText.filter((text) => SOMETHING.test(text)) },
  { weight: 1, arbitrary: fc.constantFrom('Hello', 'Error: x', '{}', '[]', '\u4E2D\u6587', '\u{1F600}', ' a ', '0') },
);

export function textBlock(text: string): TextBlock {
  return { type: 'text', text };
}

/** A name in the characters that all vendors accept. */
export const toolName: fc.Arbitrary<string> = matching(/^[a-zA-Z_][a-zA-Z0-9_-]{0,20}$/);

/** An id in the characters that all vendors accept. */
const toolCallId: fc.Arbitrary<string> = matching(/^[A-Za-z0-9_-]{1,24}$/);

/** Addresses with paths, escapes and queries. Replaces fast-check's own web URLs, which take half a second when the module loads. */
const webAddress: fc.Arbitrary<string> = matching(/^https?:\/\/[a-z][a-z0-9-]{0,12}\.example(:[1-9][0-9]{1,3})?(\/([a-zA-Z0-9._~!$&'()*+,;=:@-]|%[0-9A-F]{2}){0,12}){0,4}(\?[a-zA-Z0-9._~!$&'()*+,;=:@/?-]{0,20})?$/);

export const imageSource: fc.Arbitrary<ImageSource> = fc.oneof(
  webAddress.map((url): ImageSource => ({ kind: 'url', url })),
  fc.record({
    kind: fc.constant('base64' as const),
    mediaType: fc.constantFrom('image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'),
    data: fc.uint8Array({ minLength: 1, maxLength: 24 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  }),
);

/** JSON numbers, also in notations that `JSON.stringify` does not produce. */
const writtenNumber = fc.oneof(
  fc.integer().map(String), fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('1.0', '-0', '0.10', '1e3', '1E+2', '12345678901234567890', '9007199254740993', '3.141592653589793238', '1e400'),
);

/**
 * Keys of JSON objects. Includes integers, which change position when an object is parsed and printed. Excludes `__proto__`, which object spread does
 * not copy.
 */
const writtenKey = fc.oneof(matching(/^[a-z]{1,6}$/), fc.nat({ max: 20 }).map(String), fc.constantFrom('type', 'a b', '\u00E9', '', '"', 'constructor'));

function printedObject(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}

const uniqueMembers = (value: fc.Arbitrary<string>): fc.Arbitrary<(readonly [string, string])[]> =>
  fc.uniqueArray(fc.tuple(writtenKey, value), { selector: ([key]) => key, maxLength: 4 });

const { written } = fc.letrec<{ written: string }>((tie) => ({
  written: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    writtenNumber,
    fc.constantFrom('null', 'true', 'false'),
    fc.string().map((text) => JSON.stringify(text)),
    fc.array(tie('written'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    uniqueMembers(tie('written')).map(printedObject),
  ),
}));

/** Compact JSON text of an object. Its number notations and key order may differ from what `JSON.stringify` prints. */
export const writtenObject: fc.Arbitrary<string> = uniqueMembers(written).map(printedObject);

export function documentOf(text: string): JsonDocument {
  return { value: JSON.parse(text) as JsonObject, text };
}

/** A JSON schema whose member `type: object` stands at any position. */
const objectSchema: fc.Arbitrary<JsonDocument> = fc.record({ members: uniqueMembers(written), place: fc.nat() }).map(({ members, place }) => {
  const others = members.filter(([key]) => key !== 'type');
  return documentOf(printedObject(others.toSpliced(place % (others.length + 1), 0, ['type', '"object"'])));
});

const outputLimit: fc.Arbitrary<TokenCount> = fc.integer({ min: 1, max: 1_000_000 }).map(tokenCount);

/** Numbers with at most two decimals, as clients write them, so that they have the same text after a conversion. */
export function decimalWithin(least: number, most: number): fc.Arbitrary<number> {
  return fc.integer({ min: least * 100, max: most * 100 }).map((hundredths) => hundredths / 100);
}

/** Text without the characters that a database refuses. */
const attributionText: fc.Arbitrary<string> = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 })
  .filter((text) => !/\0|\p{Surrogate}/u.test(text));

/** The contents of turns that a format must transfer unchanged. */
interface Expressible {
  readonly system: fc.Arbitrary<readonly TextBlock[]>;
  readonly instruction: fc.Arbitrary<readonly TextBlock[]>;
  readonly thinking: fc.Arbitrary<readonly ThinkingBlock[]>;
  /** The model's text in a turn with tool calls. `said` is its text in a turn without calls, which is never empty. */
  readonly besideCalls: fc.Arbitrary<readonly TextBlock[]>;
  readonly said: fc.Arbitrary<readonly TextBlock[]>;
  /** True if the model's turn may consist of thinking alone. */
  readonly thinksAlone: boolean;
  readonly argumentsJson: fc.Arbitrary<string>;
  /** A user turn without tool results. */
  readonly asked: fc.Arbitrary<Turn>;
  readonly answered: (ids: readonly string[]) => fc.Arbitrary<readonly Turn[]>;
}

interface Round {
  readonly instructions: readonly SystemTurn[];
  readonly turns: readonly Turn[];
}

const calls = (argumentsJson: fc.Arbitrary<string>): fc.Arbitrary<readonly ToolCallBlock[]> => fc.uniqueArray(
  fc.record({ type: fc.constant('tool-call' as const), id: toolCallId, name: toolName, argumentsJson }), { selector: ({ id }) => id, minLength: 1, maxLength: 3 },
);

function spokenTurn({ thinking, said, thinksAlone }: Expressible): fc.Arbitrary<Turn> {
  const whole = fc.tuple(thinking, said);
  const alone = fc.tuple(thinking.filter((blocks) => blocks.length > 0), fc.constant([]));
  return (thinksAlone ? fc.oneof({ weight: 5, arbitrary: whole }, { weight: 1, arbitrary: alone }) : whole)
    .map((parts): Turn => ({ role: 'assistant', content: parts.flat() as readonly AssistantBlock[] }));
}

/** A turn of the model and the user's turns that follow it; these contain the results of the model's calls. */
function exchange(terms: Expressible): fc.Arbitrary<readonly Turn[]> {
  const spoken = fc.tuple(spokenTurn(terms), terms.asked);
  const called = fc.tuple(terms.thinking, terms.besideCalls, calls(terms.argumentsJson)).chain(([thinking, text, made]) =>
    terms.answered(made.map(({ id }) => id)).map((answers): readonly Turn[] => [{ role: 'assistant', content: [...thinking, ...text, ...made] }, ...answers]));
  return fc.oneof(spoken, called);
}

/** Conversations that the format transfers unchanged. The user begins, and tool results follow their calls directly. */
export function expressibleConversation(terms: Expressible): fc.Arbitrary<Conversation> {
  const instructions = fc.array(terms.instruction.map((content): SystemTurn => ({ role: 'system', content })), { maxLength: 2 });
  const round: fc.Arbitrary<Round> = fc.record({ instructions: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: instructions }), turns: exchange(terms) });
  return fc.record({ system: terms.system, first: terms.asked, rounds: fc.array(round, { maxLength: 4 }), last: fc.option(spokenTurn(terms)) })
    .map(({ system, first, rounds, last }) => ({
      system,
      turns: [first, ...rounds.flatMap(({ instructions: given, turns }) => [...given, ...turns]), ...(last === null ? [] : [last])],
    }));
}

/** The contents of the other request fields that a format must transfer unchanged. */
interface ExpressibleFields {
  readonly conversation: fc.Arbitrary<Conversation>;
  readonly sampling: fc.Arbitrary<Sampling>;
  readonly reasonings: readonly Reasoning[];
  readonly replyFormat: fc.Arbitrary<Pick<GenerationRequest, 'responseFormat' | 'outputSchema'>>;
  readonly stopSequence: fc.Arbitrary<string>;
  /** False for combinations of fields that the format does not allow. */
  readonly fits: (request: GenerationRequest) => boolean;
}

const tool: fc.Arbitrary<Tool> = fc.record({ name: toolName, description: fc.option(fc.oneof(saidText, fc.constant(''))), inputSchema: objectSchema });

type ToolFields = Pick<GenerationRequest, 'tools' | 'toolChoice' | 'parallelToolCalls'>;

const NO_TOOLS: ToolFields = { tools: [], toolChoice: null, parallelToolCalls: null };

const toolFields: fc.Arbitrary<ToolFields> = fc.uniqueArray(tool, { selector: ({ name }) => name, maxLength: 3 }).chain((tools) => {
  if (tools.length === 0) return fc.constant(NO_TOOLS);
  return fc.record({
    tools: fc.constant(tools),
    toolChoice: fc.option(fc.oneof(
      fc.constantFrom<ToolChoice>({ kind: 'auto' }, { kind: 'none' }, { kind: 'any' }),
      fc.constantFrom(...tools).map(({ name }): ToolChoice => ({ kind: 'tool', name })),
    )),
    parallelToolCalls: fc.option(fc.boolean()),
  });
});

/** Requests that the format transfers unchanged. */
export function expressibleRequest(fields: ExpressibleFields): fc.Arbitrary<GenerationRequest> {
  return fc.record({
    model: matching(/^[a-z][a-z0-9./-]{0,20}$/),
    conversation: fields.conversation,
    tools: toolFields,
    maxOutputTokens: outputLimit,
    sampling: fields.sampling,
    stopSequences: fc.uniqueArray(fields.stopSequence, { maxLength: 16 }),
    reasoning: fc.constantFrom(...fields.reasonings),
    replyFormat: fields.replyFormat,
    attribution: fc.option(attributionText),
  }).map(({ tools, replyFormat, ...request }): GenerationRequest => ({ ...request, ...replyFormat, ...tools, source: null })).filter(fields.fits);
}

type Mark = () => string;

/** Builds a block from marks; each mark occurs only once in a conversation. */
type Marked<Block> = (mark: Mark) => Block;

/** Text that begins with a mark. Some texts are empty or white space, and have no mark. */
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

/** An id that is the next mark, with `_` for each character that ids cannot have. */
function idOf(mark: Mark): string {
  return mark().replaceAll(/[^A-Za-z0-9]/g, '_');
}

function marks(): Mark {
  let count = 0;
  return () => `\u00AB${count += 1}\u00BB`;
}

/** Unrestricted conversations in which every text, id and image is unique. */
export const markedConversation: fc.Arbitrary<Conversation> = fc.record({
  system: fc.array(markedTextBlock, { maxLength: 2 }), turns: fc.array(markedTurn, { minLength: 1, maxLength: 8 }),
}).map(({ system, turns }) => {
  const mark = marks();
  return { system: system.map((block) => block(mark)), turns: turns.map((turn) => turn(mark)) };
});

/** Contents of a conversation by kind, in the order of the conversation. */
interface Holdings {
  /** Includes instructions in the middle of the conversation. */
  readonly instructions: readonly string[];
  /** Excludes the texts of tool results. */
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

/** The contents of a conversation except empty texts. */
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
