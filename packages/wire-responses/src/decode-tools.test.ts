import { describe, expect, it } from '@jest/globals';
import type { GenerationRequest, JsonObject, Tool } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import { refusalOf } from '@tollgate/testkit';
import { aResponsesRequest, decode, decodeText, keptInputOf } from './test-support/builders.js';

const LOOK = { type: 'function', name: 'look', description: 'Looks.', parameters: { type: 'object' }, strict: true };
const DECODED_LOOK = { name: 'look', description: 'Looks.', inputSchema: jsonDocument({ type: 'object' }) };
const GRAMMAR = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' };
const PATCH = { type: 'custom', name: 'apply_patch', description: 'Edits files.', format: GRAMMAR };
const AGENTS = { type: 'namespace', name: 'multi_agent_v1', description: 'Agents.', tools: [{ type: 'function', name: 'wait_agent' }, { ...PATCH, name: 'tell' }, { type: 'later' }] };
const SEARCH = { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters: { type: 'object', properties: { query: { type: 'string' } } } };
const HOSTED = [
  { type: 'web_search' }, { type: 'web_search_preview' }, { type: 'file_search', vector_store_ids: [] }, { type: 'code_interpreter', container: {} },
  { type: 'mcp', server_label: 'x' }, { type: 'image_generation' }, { type: 'computer_use_preview' }, { type: 'shell' }, { type: 'tool_search' },
  { type: 'tool_search', execution: 'server' }, { type: 'toString' },
];

const generationOf = (differences: JsonObject): GenerationRequest => decode(aResponsesRequest(differences)).generation;
const toolsOf = (...tools: readonly JsonObject[]): readonly Tool[] => generationOf({ tools }).tools;
const namesOf = (tools: readonly Tool[]): readonly string[] => tools.map(({ name }) => name);

describe('the tools of a responses request', () => {
  it('may be functions, whose parameters are optional', () => {
    const empty = jsonDocument({ type: 'object', properties: {} });
    expect(toolsOf({ ...LOOK, defer_loading: true }, { type: 'function', name: 'b' }, { type: 'function', name: 'c', parameters: null, description: null })).toEqual([
      DECODED_LOOK, { name: 'b', description: null, inputSchema: empty }, { name: 'c', description: null, inputSchema: empty },
    ]);
  });

  it('become functions with a text argument if they are custom; their description explains the text', () => {
    const [tool] = toolsOf(PATCH);
    expect(tool?.inputSchema?.value).toEqual({ type: 'object', properties: { input: { type: 'string' } }, required: ['input'], additionalProperties: false });
    expect(tool?.description).toBe(
      'Edits files.\n\nPut the raw text into `input`, with no quotes, JSON or code fence around it. It must match this lark grammar:\nstart: "a"',
    );
    expect(tool?.declaration).toEqual({ kind: 'custom', name: 'apply_patch', namespace: null, inputFormat: jsonDocument(GRAMMAR) });
  });

  it.each<readonly [JsonObject['format'], boolean]>([[undefined, false], [null, false], [{ type: 'text' }, true], [{ type: 'later', definition: 7 }, true]])(
    'that are custom have no grammar in their description if their format is %j', (format, isKept) => {
      expect(toolsOf({ type: 'custom', name: 'exec', format })[0]).toMatchObject({
        description: 'Put the raw text into `input`, with no quotes, JSON or code fence around it.',
        declaration: { inputFormat: isKept ? jsonDocument(format as JsonObject) : null },
      });
    },
  );

  it('may be in groups, which the upstream sees as one list and the reply restores', () => {
    const functions = { type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec' }, LOOK] };
    const request = decode(aResponsesRequest({ tools: [functions, AGENTS, { type: 'namespace', name: 'empty', tools: null }] }));
    expect(namesOf(request.generation.tools)).toEqual(['exec', 'look', 'multi_agent_v1__wait_agent', 'multi_agent_v1__tell']);
    expect(Array.from(request.echo.declarations, ([upstream, { kind, namespace, name }]) => [upstream, kind, namespace, name])).toEqual([
      ['exec', 'custom', 'functions', 'exec'],
      ['look', 'function', 'functions', 'look'],
      ['multi_agent_v1__wait_agent', 'function', 'multi_agent_v1', 'wait_agent'],
      ['multi_agent_v1__tell', 'custom', 'multi_agent_v1', 'tell'],
    ]);
  });

  it('are sent with names that upstreams accept, and appear in the reply with the client’s own names', () => {
    const name = 'a'.repeat(65);
    const { generation, echo } = decode(aResponsesRequest({ tools: [{ ...LOOK, name }, LOOK], tool_choice: { type: 'function', name } }));
    const [long, short] = generation.tools;
    expect([long?.name.length, short]).toEqual([64, DECODED_LOOK]);
    expect(generation.toolChoice).toEqual({ kind: 'tool', name: long?.name });
    expect([...echo.declarations]).toEqual([[long?.name, { kind: 'function', name, namespace: null, inputFormat: null }]]);
  });

  it('include the search for tools if the client runs it', () => {
    expect(toolsOf(SEARCH)).toEqual([{
      name: 'tool_search',
      description: 'Finds tools.',
      inputSchema: jsonDocument(SEARCH.parameters),
      declaration: { kind: 'search', name: 'tool_search', namespace: null, inputFormat: null },
    }]);
  });

  it('exclude tools that only the vendor runs', () => {
    expect(toolsOf(...HOSTED.slice(0, 5), LOOK, ...HOSTED.slice(5))).toEqual([DECODED_LOOK]);
    expect(generationOf({ tools: HOSTED, tool_choice: 'auto', parallel_tool_calls: true })).toMatchObject({ tools: [], toolChoice: null, parallelToolCalls: null });
  });

  it('may also come in input items; the last of several tools with the same name counts', () => {
    const items = [
      { type: 'additional_tools', role: 'developer', tools: [AGENTS, { type: 'function', name: 'b' }] },
      { role: 'user', content: 'Hi' },
      { type: 'additional_tools', role: 'developer', tools: [{ type: 'custom', name: 'look' }] },
    ];
    const { tools, conversation } = generationOf({ tools: [LOOK], input: items });
    expect(tools.map(({ name, declaration }) => [name, declaration?.kind ?? null])).toEqual([
      ['look', 'custom'], ['multi_agent_v1__wait_agent', 'function'], ['multi_agent_v1__tell', 'custom'], ['b', null],
    ]);
    expect(conversation.turns).toHaveLength(1);
  });

  it('include the tools in the output of a search, which names them for the model', () => {
    const items = [
      { role: 'user', content: 'Hi' },
      { type: 'tool_search_call', call_id: '1', status: 'completed', execution: 'client', arguments: { query: 'agents' } },
      { type: 'tool_search_output', call_id: '1', status: 'completed', execution: 'client', tools: [AGENTS, LOOK] },
      { type: 'function_call', call_id: '2', namespace: 'multi_agent_v1', name: 'wait_agent', arguments: '{}' },
      { type: 'function_call_output', call_id: '2', output: 'ok' },
      { type: 'tool_search_call', call_id: '3', execution: 'client', arguments: {} },
      { type: 'tool_search_output', call_id: '3', tools: [] },
      { type: 'tool_search_output', call_id: null, execution: 'server', tools: [{ type: 'function', name: 'b' }] },
    ];
    const { tools, conversation } = generationOf({ tools: [SEARCH], input: items });
    expect(namesOf(tools)).toEqual(['tool_search', 'multi_agent_v1__wait_agent', 'multi_agent_v1__tell', 'look', 'b']);
    const answers = conversation.turns.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool-result' ? [block.content[0]] : [])));
    expect(JSON.stringify(answers[0])).toMatch(/"multi_agent_v1__wait_agent\\nmulti_agent_v1__tell: Edits files\..*\\nlook: Looks\."/);
    expect(answers.slice(1)).toEqual([{ type: 'text', text: 'ok' }, { type: 'text', text: 'No tools were found.' }]);
    expect(conversation.turns[3]).toMatchObject({ role: 'assistant', content: [{ name: 'multi_agent_v1__wait_agent' }] });
  });

  it.each<readonly [JsonObject['tools'], string]>([
    [{}, 'tools'], [['look'], 'tools[0]'], [[{ name: 'look' }], 'tools[0].type'], [[{ type: 7 }], 'tools[0].type'],
    [[{ type: 'function', function: { name: 'look' } }], 'tools[0].name'], [[{ type: 'function', name: '' }], 'tools[0].name'],
    [[LOOK, { ...LOOK, description: 7 }], 'tools[1].description'], [[{ ...LOOK, parameters: 'x' }], 'tools[0].parameters'],
    [[{ type: 'custom' }], 'tools[0].name'], [[{ ...PATCH, format: 'x' }], 'tools[0].format'],
    [[{ ...PATCH, format: { type: 'grammar' } }], 'tools[0].format.definition'], [[{ ...PATCH, format: { type: 7 } }], 'tools[0].format.type'],
    [[{ type: 'namespace', tools: [] }], 'tools[0].name'], [[{ ...AGENTS, tools: {} }], 'tools[0].tools'],
    [[{ ...AGENTS, tools: [LOOK, { type: 'function' }] }], 'tools[0].tools[1].name'], [[{ ...AGENTS, tools: [{}] }], 'tools[0].tools[0].type'],
    [[{ ...SEARCH, parameters: [] }], 'tools[0].parameters'], [[{ ...SEARCH, execution: 7 }], 'tools[0].execution'],
  ])('are refused if they are %j, and the refusal names %s', (tools, param) => {
    expect(refusalOf(() => generationOf({ tools }))).toMatchObject({ code: 'invalid_request', param });
  });

  it('are limited to 128 over all groups and items, not counting omitted tools', () => {
    const functions = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => ({ type: 'function', name: `${prefix}${index}` }));
    const request = (count: number): JsonObject => ({ tools: [...HOSTED, ...functions(60, 'a'), { type: 'namespace', name: 'n', tools: functions(count - 60, 'b') }] });
    expect(generationOf(request(128)).tools).toHaveLength(128);
    expect(refusalOf(() => generationOf(request(129)))?.param).toBe('tools');
    const input = (count: number) => [{ role: 'user', content: 'Hi' }, { type: 'additional_tools', tools: functions(count, 'c') }];
    expect(generationOf({ ...request(100), input: input(28) }).tools).toHaveLength(128);
    expect(refusalOf(() => generationOf({ ...request(100), input: input(29) }))?.param).toBe('input[1].tools');
    expect(toolsOf(...functions(128, 'a'), ...functions(128, 'a'))).toHaveLength(128);
  });

  it('of a list that the parser caches are decoded only once, even for requests with another tool choice', () => {
    const tools = Object.freeze([Object.freeze({ ...LOOK })]) as unknown as JsonObject[];
    expect(generationOf({ tools }).tools).toBe(generationOf({ tools }).tools);
    expect(generationOf({ tools, tool_choice: 'auto' }).tools).toBe(generationOf({ tools }).tools);
  });
});

describe('the choice among the tools', () => {
  const tools = [LOOK, PATCH, AGENTS];

  it.each<readonly [JsonObject['tool_choice'], GenerationRequest['toolChoice'], JsonObject['tool_choice']]>([
    [null, null, 'auto'], ['auto', { kind: 'auto' }, 'auto'], ['none', { kind: 'none' }, 'none'], ['required', { kind: 'any' }, 'required'],
    [{ type: 'function', name: 'look', extra: 1 }, { kind: 'tool', name: 'look' }, { type: 'function', name: 'look' }],
    [{ type: 'custom', name: 'apply_patch' }, { kind: 'tool', name: 'apply_patch' }, { type: 'custom', name: 'apply_patch' }],
    [
      { type: 'function', name: 'wait_agent', namespace: 'multi_agent_v1' }, { kind: 'tool', name: 'multi_agent_v1__wait_agent' },
      { type: 'function', name: 'wait_agent' },
    ],
  ])('%j is decoded', (choice, toolChoice, echo) => {
    const request = decode(aResponsesRequest({ tools, tool_choice: choice }));
    expect(request.generation.toolChoice).toEqual(toolChoice);
    expect(request.echo.parameters['tool_choice']).toEqual(echo);
  });

  it('can permit only some of the tools', () => {
    const allowed = (mode: string, ...named: readonly JsonObject[]): JsonObject => ({ tools: [...tools, SEARCH], tool_choice: { type: 'allowed_tools', mode, tools: named } });
    const some = allowed('auto', { type: 'custom', name: 'apply_patch' }, { type: 'mcp', server_label: 'x' }, { type: 'function', name: 'look' }, { type: 'function', name: 'look' });
    expect(generationOf(some)).toMatchObject({ tools: [{ name: 'look' }, { name: 'apply_patch' }], toolChoice: { kind: 'auto' } });
    expect(decode(aResponsesRequest(some)).echo.parameters['tool_choice']).toEqual({
      type: 'allowed_tools', mode: 'auto', tools: [{ type: 'custom', name: 'apply_patch' }, { type: 'function', name: 'look' }],
    });
    expect(generationOf(allowed('required', { type: 'tool_search' }))).toMatchObject({ tools: [{ name: 'tool_search' }], toolChoice: { kind: 'any' } });
    expect(generationOf(allowed('auto', { type: 'image_generation' }))).toMatchObject({ tools: [], toolChoice: null });
    expect(refusalOf(() => generationOf(allowed('required', { type: 'image_generation' })))?.param).toBe('tool_choice');
    expect(refusalOf(() => generationOf(allowed('auto', { type: 'function', name: 'jump' })))?.param).toBe('tool_choice');
  });

  it.each<readonly [JsonObject, string]>([
    [{ tools, tool_choice: 'sometimes' }, 'tool_choice'], [{ tools, tool_choice: 7 }, 'tool_choice'], [{ tools, tool_choice: {} }, 'tool_choice.type'],
    ...['web_search_preview', 'file_search', 'mcp', 'code_interpreter', 'shell'].map((type) => [{ tools: [...tools, ...HOSTED], tool_choice: { type } }, 'tool_choice'] as const),
    [{ tools, tool_choice: { type: 'function' } }, 'tool_choice.name'], [{ tools, tool_choice: { type: 'function', name: 'jump' } }, 'tool_choice'],
    [{ tools, tool_choice: { type: 'function', name: 'wait_agent' } }, 'tool_choice'], [{ tools, tool_choice: { type: 'tool_search' } }, 'tool_choice'],
    [{ tool_choice: 'required' }, 'tool_choice'], [{ tools: HOSTED, tool_choice: 'required' }, 'tool_choice'], [{ tool_choice: { type: 'function', name: 'look' } }, 'tool_choice'],
    [{ tools, tool_choice: { type: 'allowed_tools', tools: [] } }, 'tool_choice.mode'], [{ tools, tool_choice: { type: 'allowed_tools', mode: 'none', tools: [] } }, 'tool_choice.mode'],
    [{ tools, tool_choice: { type: 'allowed_tools', mode: 'auto' } }, 'tool_choice.tools'],
    [{ tools, tool_choice: { type: 'allowed_tools', mode: 'auto', tools: ['look'] } }, 'tool_choice.tools[0]'],
    [{ tools, tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function' }] } }, 'tool_choice.tools[0].name'],
  ])('in %j is refused, and the refusal names %s', (said, param) => {
    expect(refusalOf(() => generationOf(said))).toMatchObject({ code: 'invalid_request', param });
  });
});

describe('a request from the gateway’s own parser', () => {
  const SCHEMA = '{"2": 1.0, "1": {"maximum": 12345678901234567890}}';
  const TOOL = `{"type":"function","name":"look","parameters":${SCHEMA}}`;
  const GROUP = `{"type":"namespace","name":"functions","tools":[${TOOL}]}`;

  it.each([
    ['tools', `{"model":"m","input":"Hi","tools":[${TOOL}]}`],
    ['a group', `{"model":"m","input":"Hi","tools":[${GROUP}]}`],
    ['additional tools', `{"model":"m","input":[{"role":"user","content":"Hi"},{"type":"additional_tools","tools":[${GROUP}]}]}`],
    ['the result of a search', `{"model":"m","input":[{"type":"tool_search_call","call_id":"1"},{"type":"tool_search_output","call_id":"1","tools":[${TOOL}]}]}`],
  ])('keeps the schemas in %s verbatim', (_, body) => {
    const decoded = decodeText(body);
    expect(decoded.generation.tools.map(({ inputSchema }) => inputSchema?.text)).toEqual([SCHEMA]);
    expect(JSON.parse(keptInputOf(decoded) ?? '')).toEqual(body.includes('"Hi","tools"') ? [{ type: 'message', role: 'user', content: 'Hi' }] : (JSON.parse(body) as JsonObject)['input']);
  });

  it('keeps texts and text arguments verbatim, even if it has numbers that serializing would change', () => {
    const items = '{"type":"custom_tool_call","call_id":"1","name":"exec","input":"a\\n{1.0}"},{"type":"function_call","call_id":"2","name":"b","arguments":"{\\"x\\": 1.0}"},'
      + '{"type":"tool_search_call","call_id":"3","arguments":{"limit":1.0}}';
    const { generation } = decodeText(`{"model":"m","input":[${items}],"tools":[{"type":"custom","name":"exec","x":1.0}],"text":{"format":{"type":"json_schema","name":"a","schema":${SCHEMA}}}}`);
    expect(generation.conversation.turns[0]?.content.map((block) => (block.type === 'tool-call' ? block.argumentsJson : null))).toEqual([
      JSON.stringify({ input: 'a\n{1.0}' }), '{"x": 1.0}', '{"limit":1}',
    ]);
    expect(generation.outputSchema?.schema.text).toBe(SCHEMA);
  });

  it('reuses the decoded tools of an earlier request with the same list', () => {
    const long = TOOL.replace('"look"', `"look","description":"${'x'.repeat(2_000)}"`);
    const lists = Array.from({ length: 4 }, (_, index) => decodeText(`{"model":"m","input":"${index}","tools":[${long.replace(SCHEMA, '{"type":"object"}')}]}`).generation.tools);
    expect(lists[3]).toBe(lists[2]);
    expect(lists[3]?.[0]?.name).toBe('look');
  });
});
