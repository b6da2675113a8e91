import { type ContentBlock, type GenerationRequest, type TokenCount, type TokenCounter, type TokenEstimator, tokenCount, type Tool } from '@tollgate/core';
import { oncePer } from '@tollgate/json-text';
import { PROMPT_SCALE, TextTokenCounter } from './text-token-counter.js';

/** What an image costs, whatever its size: the gateway never looks at images. */
const TOKENS_PER_IMAGE = 1_000;
/** What a chat template writes around each of these. */
const TOKENS_PER_TURN = 4;
const TOKENS_PER_TOOL_CALL = 12;
/** What a template writes once where there are tools: how to call them. */
const TOKENS_FOR_TOOLS = 70;
/** The names of a tool's fields, and what encloses it. */
const TOKENS_PER_TOOL = 24;
/** Templates reprint schemas, with spaces or a line for each key: so many tokens for each that the client wrote. */
const SCHEMA_TOKENS_PER_TOKEN = 1.4;
/** What opens the reply. */
const TOKENS_PER_REQUEST = 3;

/** Estimates tokens by kinds of characters in one pass: no vocabulary, no pattern matching, no text that takes long. */
export class LinearTokenEstimator implements TokenEstimator {
  estimatePrompt({ conversation, tools }: GenerationRequest): TokenCount {
    let tokens = TOKENS_PER_REQUEST;
    if (conversation.system.length > 0) tokens += TOKENS_PER_TURN;
    for (const block of conversation.system) tokens += tokensOfText(block.text);
    for (const turn of conversation.turns) {
      tokens += TOKENS_PER_TURN;
      for (const block of turn.content) tokens += tokensOfBlock(block);
    }
    if (tools.length > 0) tokens += tokensOfTools(tools);
    return tokenCount(tokens);
  }

  startCounter(): TokenCounter {
    return new TextTokenCounter();
  }
}

function tokensOfText(text: string): number {
  const counter = new TextTokenCounter(PROMPT_SCALE);
  counter.add(text);
  return counter.tokens;
}

function tokensOfBlock(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
    case 'thinking': return tokensOfText(block.text);
    case 'image': return TOKENS_PER_IMAGE;
    case 'tool-call': return TOKENS_PER_TOOL_CALL + tokensOfText(block.name) + tokensOfText(block.argumentsJson);
    case 'tool-result': {
      let tokens = TOKENS_PER_TURN;
      for (const part of block.content) tokens += tokensOfBlock(part);
      return tokens;
    }
  }
}

/** Once for each list, since the same tools come with one request after the other. */
const tokensOfTools = oncePer((tools: readonly Tool[]) => {
  let tokens = TOKENS_FOR_TOOLS;
  for (const tool of tools) tokens += tokensOfTool(tool);
  return tokens;
});

function tokensOfTool({ name, description, inputSchema }: Tool): number {
  const schema = inputSchema === null ? 0 : Math.ceil(tokensOfText(inputSchema.text) * SCHEMA_TOKENS_PER_TOKEN);
  return TOKENS_PER_TOOL + tokensOfText(name) + tokensOfText(description ?? '') + schema;
}
