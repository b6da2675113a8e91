import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { common } from '#texts/common';
import { shortId } from '../format/id';
import { copyText } from './copy-button';
import { CheckIcon, CopyIcon } from './icons';

const SHOWN_FOR = 2_000;

/** An id, abbreviated unless `whole` is set. A click copies the whole id. */
export function CopyId({ id, whole = false }: { readonly id: string; readonly whole?: boolean }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(id))) return;
    setCopied(true);
    window.setTimeout(() => setCopied(false), SHOWN_FOR);
  };
  return (
    <UnstyledButton className="mono" title={id} aria-label={`${common.copy} ${whole ? id : shortId(id)}`} onClick={() => void copy()}>
      {whole ? id : shortId(id)} {copied ? <CheckIcon size={12} /> : <CopyIcon size={12} />}
    </UnstyledButton>
  );
}
