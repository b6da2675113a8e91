import { describe, expect, it } from '@jest/globals';
import { vendorTool } from './vendor-tools.js';

describe('a tool that a vendor defines', () => {
  it.each([
    ['bash_20241022', ['command', 'restart'], ['command']],
    ['bash_20250124', ['command', 'restart'], ['command']],
    ['text_editor_20250728', ['command', 'path', 'file_text', 'old_str', 'new_str', 'insert_line', 'insert_text', 'view_range'], ['command', 'path']],
    ['memory_20250818', ['command', 'path', 'old_path', 'new_path', 'file_text', 'old_str', 'new_str', 'insert_line', 'insert_text', 'view_range'], ['command']],
  ])('%s has the arguments that its clients read', (type, names, required) => {
    const schema = vendorTool(type)?.inputSchema?.value as { readonly properties: object; readonly required: readonly string[] } | undefined;
    expect([Object.keys(schema?.properties ?? {}), schema?.required]).toEqual([names, required]);
  });

  it.each([['text_editor_20241022', true], ['text_editor_20250124', true], ['text_editor_20250429', false], ['text_editor_20250728', false]])('%s can undo edits: %p', (type, undoes) => {
    expect(vendorTool(type)?.inputSchema?.text.includes('undo_edit')).toBe(undoes);
  });

  it.each(['web_search_20250305', 'computer_20251124', 'code_execution_20250825', 'bash', 'bash_code_execution_20250825', 'custom'])('%s has no known schema', (type) => {
    expect(vendorTool(type)).toBeNull();
  });
});
