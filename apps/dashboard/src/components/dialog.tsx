import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { common } from '#texts/common';
import classes from './dialog.module.css';

interface DialogProps extends Pick<ModalProps, 'size' | 'zIndex'> {
  readonly opened: boolean;
  readonly title: string;
  /** True to prevent closing. */
  readonly busy?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * Returns the focus to the opener once a dialog is closed, unless another element has the focus. If the opener is no longer in the document, for
 * example because its row was deleted, the page's title takes the focus.
 */
function restoreFocus(opener: Element | null): void {
  window.requestAnimationFrame(() => {
    if (document.activeElement !== document.body || document.querySelector('[role="dialog"]') !== null) return;
    const target = opener instanceof HTMLElement && opener.isConnected ? opener : document.querySelector<HTMLElement>('main h1');
    target?.focus({ preventScroll: true });
  });
}

/** Restores the focus for dialogs that are mounted open. Mantine does so only for dialogs that stay mounted. */
function useOpener(opened: boolean): void {
  const [opener] = useState(() => (opened ? document.activeElement : null));
  useEffect(() => () => restoreFocus(opener), [opener]);
}

export function Dialog({ opened, title, busy = false, onClose, children, ...props }: DialogProps) {
  useOpener(opened);
  return (
    <Modal
      opened={opened} onClose={onClose} title={<strong className={classes['title']}>{title}</strong>} closeOnEscape={!busy} closeOnClickOutside={false} withCloseButton={!busy}
      closeButtonProps={{ 'aria-label': common.close }} onExitTransitionEnd={() => restoreFocus(null)} {...props}
    >
      <div className={classes['form']}>{children}</div>
    </Modal>
  );
}

/** The buttons at the end of a dialog. The first one cancels. */
export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className={classes['buttons']}>{children}</div>;
}
