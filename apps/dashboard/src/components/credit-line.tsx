import { Anchor } from '@mantine/core';
import { common } from '#texts/common';

const ADDRESS = /https:\/\/[^\s<>"]+[^\s<>".,;:!?)]/;

/** The operator's text about buying credit, with its first `https` URL as a link; for `null`, a text that the operator adds credit. */
export function CreditLine({ line }: { readonly line: string | null }) {
  if (line === null) return <>{common.creditByOperator}</>;
  const address = ADDRESS.exec(line);
  if (address === null) return <>{line}</>;
  const [url] = address;
  return <>{line.slice(0, address.index)}<Anchor href={url} target="_blank" rel="noopener noreferrer" inherit>{url}</Anchor>{line.slice(address.index + url.length)}</>;
}
