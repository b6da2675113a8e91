import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notes as texts } from '#texts/account-notes';
import { common } from '#texts/common';
import { call, type Reply } from '../../../../api/call';
import { keyOf, useRoute } from '../../../../api/use-route';
import { DangerDialog } from '../../../../components/confirm-dialog';
import { Dialog, DialogButtons } from '../../../../components/dialog';
import { EmptyState } from '../../../../components/empty-state';
import { fieldErrors } from '../../../../components/form-errors';
import { FormProblem } from '../../../../components/form-problem';
import { Instant } from '../../../../components/instant';
import { Part } from '../../../../components/part';
import { shortInstant } from '../../../../format/instant';
import { ActorName } from '../../audit/actor-name';
import type { AccountDetail } from '../acts/account-data';
import classes from './notes-tab.module.css';

type AccountNote = Reply<'addNoteToAccount'>;

type NoteAct = keyof typeof texts.done;

const PARAMS = { text: 'text' } as const;
const MOST_CHARACTERS = 4000;
/** When only this many characters are left, the form says how many. */
const FEW_CHARACTERS = 500;
const LIST_HEIGHT = 160;
/** Longer notes are cut in the names of their buttons. */
const LONG_NAME = /^(.{60}).+$/u;

interface NoteFormProps {
  readonly label: string;
  readonly action: string;
  readonly initial: string;
  readonly onSave: (text: string) => Promise<unknown>;
  readonly onCancel?: () => void;
}

function NoteForm({ label, action, initial, onSave, onCancel }: NoteFormProps) {
  const [text, setText] = useState(initial);
  const save = useMutation({ mutationFn: () => onSave(text), onSuccess: () => setText('') });
  const left = MOST_CHARACTERS - text.length;
  return (
    <form className={classes['form']} noValidate onSubmit={(event) => { event.preventDefault(); save.mutate(); }}>
      <Textarea
        label={label} description={left <= FEW_CHARACTERS ? texts.left(left) : texts.help} autosize minRows={2} maxRows={12} maxLength={MOST_CHARACTERS} value={text} error={fieldErrors(save.error, PARAMS)['text']}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <FormProblem error={save.error} fields={PARAMS} />
      <DialogButtons>
        {onCancel !== undefined && <Button variant="default" disabled={save.isPending} onClick={onCancel}>{common.cancel}</Button>}
        <Button type="submit" variant={onCancel === undefined ? 'default' : 'filled'} loading={save.isPending} disabled={text.trim() === '' || text === initial}>{action}</Button>
      </DialogButtons>
    </form>
  );
}

interface NoteItemProps {
  readonly note: AccountNote;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** Name of a note in the labels of its buttons, so that the labels differ from note to note. */
function nameOf({ text, written_at: at }: AccountNote): string {
  return texts.noteOf(shortInstant(at), text.replaceAll(/\s+/g, ' ').replace(LONG_NAME, '$1…'));
}

function NoteItem({ note, onEdit, onRemove }: NoteItemProps) {
  return (
    <li className={classes['note']}>
      <div className={classes['text']}>{note.text}</div>
      <div className={classes['foot']}>
        <span className="muted"><ActorName id={note.author} /> · <Instant at={note.written_at} />{note.changed_at !== null && <> · {texts.changed} <Instant at={note.changed_at} /></>}</span>
        {note.is_own && (
          <span className={classes['acts']}>
            <Button variant="subtle" size="compact-sm" aria-label={texts.editOf(nameOf(note))} onClick={onEdit}>{texts.edit}</Button>
            <Button variant="subtle" size="compact-sm" color="red" aria-label={texts.removeOf(nameOf(note))} onClick={onRemove}>{texts.remove}</Button>
          </span>
        )}
      </div>
    </li>
  );
}

export function NotesTab({ account: { id, status } }: { readonly account: AccountDetail }) {
  const client = useQueryClient();
  const notes = useRoute('listNotesOfAccount', { params: { id } });
  const [open, setOpen] = useState<{ readonly act: 'edit' | 'remove'; readonly note: AccountNote } | null>(null);
  const [done, setDone] = useState<NoteAct | null>(null);
  const close = () => setOpen(null);
  const after = async (act: NoteAct, run: () => Promise<unknown>) => {
    // Removed first: screen readers do not announce an unchanged sentence again.
    setDone(null);
    await run();
    await client.invalidateQueries({ queryKey: keyOf('listNotesOfAccount') });
    setDone(act);
  };
  return (
    <>
      <output className="visually-hidden" aria-live="polite">{done !== null && texts.done[done]}</output>
      {status !== 'deleted' && <NoteForm label={texts.text} action={texts.add} initial="" onSave={(text) => after('add', () => call('addNoteToAccount', { params: { id }, body: { text } }))} />}
      <Part query={notes} height={LIST_HEIGHT}>
        {({ data }) => (data.length === 0 ? <EmptyState title={texts.none} help={texts.noneHelp} /> : (
          <ul className={classes['list']} aria-label={texts.label}>
            {data.map((note) => <NoteItem key={note.id} note={note} onEdit={() => setOpen({ act: 'edit', note })} onRemove={() => setOpen({ act: 'remove', note })} />)}
          </ul>
        ))}
      </Part>
      <Dialog opened={open?.act === 'edit'} title={texts.editTitle} onClose={close}>
        {open !== null && (
          <NoteForm
            label={texts.editTitle} action={texts.save} initial={open.note.text} onCancel={close}
            onSave={(text) => after('edit', () => call('changeNoteOfAccount', { params: { id, note: open.note.id }, body: { text } })).then(close)}
          />
        )}
      </Dialog>
      <DangerDialog
        opened={open?.act === 'remove'} title={texts.removeTitle} effect={texts.removeEffect} action={texts.removeAct} onClose={close}
        onConfirm={() => after('remove', () => call('removeNoteOfAccount', { params: { id, note: open?.note.id ?? '' } }))}
      />
    </>
  );
}
