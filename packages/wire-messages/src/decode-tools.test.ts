import { describe, expect, it } from '@jest/globals';
import { refusalOf } from '@tollgate/testkit';
import { decodeTool } from './decode-tools.js';

describe('a tool', () => {
  it.each([{ type: 'web_search_20250305', name: 'web_search' }, { type: 'mcp_toolset', mcp_server_name: 'x' }])('of a vendor is omitted: %j', (tool) => {
    expect(decodeTool(tool, null, 'tool')).toBeNull();
  });

  it.each([
    [{ type: 'function', function: { name: 'look', parameters: {} } }, 'tool.name'],
    [{ type: 'function', name: 'look', parameters: {} }, 'tool.input_schema'],
    [{ type: 'custom', name: 'look' }, 'tool.input_schema'],
    [{ name: 'look' }, 'tool.input_schema'],
  ])('of the client without a schema is refused: %j', (tool, param) => {
    expect(refusalOf(() => decodeTool(tool, null, 'tool'))?.param).toBe(param);
  });
});
