import { describe, expect, it } from '@jest/globals';
import { refusalOf } from '@tollgate/testkit';
import { decodeTool } from './decode-tools.js';
import { vendorTool } from './vendor-tools.js';

describe('a tool', () => {
  it.each([{ type: 'web_search_20250305', name: 'web_search' }, { type: 'mcp_toolset', mcp_server_name: 'x' }])('that only its vendor runs is omitted: %j', (tool) => {
    expect(decodeTool(tool, null, 'tool')).toBeNull();
  });

  it('that a vendor defines and clients run gets the vendor’s schema, and keeps its name', () => {
    expect(decodeTool({ type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 10_000, cache_control: { type: 'ephemeral' } }, null, 'tool'))
      .toEqual({ name: 'str_replace_based_edit_tool', ...vendorTool('text_editor_20250728'), cacheMark: { ttl: null } });
    expect(refusalOf(() => decodeTool({ type: 'bash_20250124' }, null, 'tool'))?.param).toBe('tool.name');
  });

  it.each([
    [{ type: 'function', function: { name: 'look', parameters: {} } }, 'tool.name'],
    [{ type: 'function', name: 'look', parameters: {} }, 'tool.input_schema'],
    [{ type: 'custom', name: 'look' }, 'tool.input_schema'],
    [{ name: 'look' }, 'tool.input_schema'],
  ])('of the client without a name or a schema is refused: %j', (tool, param) => {
    expect(refusalOf(() => decodeTool(tool, null, 'tool'))?.param).toBe(param);
  });
});
