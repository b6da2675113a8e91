import { Button, Checkbox } from '@mantine/core';
import { useRef, useState } from 'react';
import { factors } from '#texts/factors';
import { CopyButton } from '../copy-button';
import { download } from '../download';
import { DownloadIcon } from '../icons';
import { selectText } from '../select-text';
import classes from './factors.module.css';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  /** Called when the person confirms having stored the codes. */
  readonly onStored: () => void;
}

/** Shows the codes until the person confirms having stored them, because they cannot be shown again. */
export function RecoveryCodes({ codes, onStored }: RecoveryCodesProps) {
  const [stored, setStored] = useState(false);
  const [asked, setAsked] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const text = `${codes.join('\n')}\n`;
  return (
    <div className={classes['steps']}>
      <div>{factors.codesLead}</div>
      <ul ref={list} className={`${classes['codes']} mono`} aria-label={factors.codesTitle}>{codes.map((code) => <li key={code}>{code}</li>)}</ul>
      <div className={classes['buttons']}>
        <CopyButton text={text} label={factors.codesCopy} onFailed={() => selectText(list.current)} />
        <Button variant="default" size="xs" leftSection={<DownloadIcon />} onClick={() => download(factors.codesFile, text)}>{factors.codesDownload}</Button>
      </div>
      <Checkbox
        label={factors.codesStored} checked={stored} error={asked && !stored ? factors.codesNotStored : undefined} onChange={({ currentTarget }) => setStored(currentTarget.checked)}
      />
      <div className={classes['end']}>
        <Button
          onClick={() => {
            setAsked(true);
            if (stored) onStored();
          }}
        >
          {factors.codesDone}
        </Button>
      </div>
    </div>
  );
}
