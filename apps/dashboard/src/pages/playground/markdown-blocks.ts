/** The address if it is a web or mail address; `null` for others, such as `javascript:` and relative addresses. */
export function safeLink(address: string): string | null {
  return /^(?:https?:\/\/|mailto:)/i.test(address) ? address : null;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Splits Markdown at empty lines outside of fenced code. The blocks joined again are the text. */
export function blocksOf(text: string): readonly string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  let fence: string | null = null;
  for (const line of text.split(/(?<=\n)/)) {
    block.push(line);
    const mark = FENCE.exec(line)?.[1];
    if (fence === null && mark !== undefined) fence = mark;
    else if (fence !== null && mark !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = null;
    if (fence !== null || line.trim() !== '') continue;
    blocks.push(block.join(''));
    block = [];
  }
  return [...blocks, block.join('')].filter((one) => one !== '');
}
