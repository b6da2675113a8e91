import { Code, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { playground as texts } from '#texts/playground';
import { CopyButton } from '../../components/copy-button';
import { CopyId } from '../../components/copy-id';
import { Dialog } from '../../components/dialog';
import type { RawExchange } from './conversation';
import classes from './playground.module.css';

const PARTS = ['request', 'response'] as const;

function RawParts({ raw, requestId }: { readonly raw: RawExchange; readonly requestId: string | null }) {
  const [part, setPart] = useState<(typeof PARTS)[number]>('request');
  const text = part === 'request' ? raw.request : raw.reply;
  return (
    <>
      <div className={classes['buttons']}>
        <SegmentedControl aria-label={texts.raw} value={part} onChange={setPart} data={PARTS.map((value) => ({ value, label: texts.rawParts[value] }))} />
        <span>{texts.httpStatus(raw.status)} {requestId !== null && <CopyId id={requestId} />}</span>
        <CopyButton text={text} />
      </div>
      <Code block className={classes['raw'] ?? ''} tabIndex={0}>{text}</Code>
      <p className={classes['small']}>{part === 'response' && raw.isCut ? texts.rawCut : texts.rawHelp}</p>
    </>
  );
}

/** A request and its reply as they were sent. */
export function RawDialog({ raw, requestId, onClose }: { readonly raw: RawExchange | null; readonly requestId: string | null; readonly onClose: () => void }) {
  return <Dialog opened={raw !== null} onClose={onClose} title={texts.rawTitle} size="xl">{raw !== null && <RawParts raw={raw} requestId={requestId} />}</Dialog>;
}
