import { Button, type ButtonProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { common } from '#texts/common';
import { CheckIcon, CopyIcon } from './icons';

type State = 'ready' | 'copied' | 'failed';
const SHOWN_FOR = 2_000;

/** Resolves with false on failure. Browsers offer no clipboard on insecure addresses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

interface CopyButtonProps extends Omit<ButtonProps, 'onClick'> {
  readonly text: string;
  readonly label?: string;
  /** Accessible name, if several buttons have the same label. It must contain the label. */
  readonly name?: string;
  readonly onCopied?: () => void;
  /** Called when copying fails; should select the text, so that Ctrl+C copies it. */
  readonly onFailed?: () => void;
  readonly failedText?: string;
}

export function CopyButton({ text, label = common.copy, name, onCopied, onFailed, failedText, ...props }: CopyButtonProps) {
  const [state, setState] = useState<State>('ready');
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const copy = async () => {
    const copied = await copyText(text);
    setState(copied ? 'copied' : 'failed');
    (copied ? onCopied : onFailed)?.();
    window.clearTimeout(timer.current);
    if (copied) timer.current = window.setTimeout(() => setState('ready'), SHOWN_FOR);
  };
  return (
    <>
      <Button variant="default" size="xs" leftSection={state === 'copied' ? <CheckIcon /> : <CopyIcon />} aria-label={state === 'copied' ? undefined : name} {...props} onClick={() => void copy()}>
        {state === 'copied' ? common.copied : label}
      </Button>
      {state === 'failed' && <span role="alert" className="muted">{failedText ?? (onFailed === undefined ? common.copyFailed : common.copySelected)}</span>}
    </>
  );
}
