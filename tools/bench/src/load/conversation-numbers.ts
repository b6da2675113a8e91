import { NUMBER_DIGITS } from '../requests/body.js';

/** Numbers of conversations, none of which is ever given out twice. */
export class ConversationNumbers {
  #next: number;

  constructor(first: number) {
    this.#next = first;
  }

  /** Numbers that no earlier run has used either: it would have had to begin a million conversations a second. */
  static fromNow(): ConversationNumbers {
    return new ConversationNumbers(Date.now() * 1000);
  }

  take(): number {
    this.#next += 1;
    return this.#next - 1;
  }
}

/** The number as it stands in a text. */
export function digitsOf(conversation: number): string {
  return conversation.toString().padStart(NUMBER_DIGITS, '0');
}
