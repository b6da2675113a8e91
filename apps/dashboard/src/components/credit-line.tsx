import { Anchor } from '@mantine/core';
import { common } from '#texts/common';

const ADDRESS = /https:\/\/[^\s<>"]+[^\s<>".,;:!?)]/;

/** The operator's line on how to get credit: plain text whose one address is a link. Without one it says whom to ask. */
export function CreditLine({ line }: { readonly line: string | null }) {
  if (line === null) return <>{common.creditByOperator}</>;
  const address = ADDRESS.exec(line);
  if (address === null) return <>{line}</>;
  const [url] = address;
  return <>{line.slice(0, address.index)}<Anchor href={url} target="_blank" rel="noopener noreferrer" inherit>{url}</Anchor>{line.slice(address.index + url.length)}</>;
}
