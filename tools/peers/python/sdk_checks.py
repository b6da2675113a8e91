"""Checks of the official Python SDKs. The first argument names one; it prints what it saw, or raises."""
import os
import sys
import time

import anthropic
import openai

BASE_URL = os.environ["BASE_URL"]
KEY = os.environ["KEY"]
WRONG_KEY = "sk-" + "0" * 48
HELLO = [{"role": "user", "content": "Say hello."}]
LONGEST_REFUSAL_SECONDS = 2


def chat(key=KEY):
    return openai.OpenAI(base_url=BASE_URL + "/v1", api_key=key)


def messages(key=KEY):
    return anthropic.Anthropic(base_url=BASE_URL, api_key=key)


def openai_whole():
    reply = chat().chat.completions.create(model="sandbox-small", messages=HELLO)
    assert reply.choices[0].message.content, reply
    debited = reply.usage.model_extra["svc_tokens_debited"]
    assert float(debited) > 0, debited
    return f"{reply.usage.total_tokens} tokens, {debited} service tokens"


def openai_stream():
    chunks = list(chat().chat.completions.create(model="sandbox-small", messages=HELLO, stream=True))
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text and chunks[-1].usage.total_tokens > 0, chunks[-1]
    return f"{len(chunks)} chunks, {chunks[-1].usage.total_tokens} tokens"


def refused(call, error):
    begun = time.monotonic()
    try:
        call()
    except error as refusal:
        seconds = time.monotonic() - begun
        assert seconds < LONGEST_REFUSAL_SECONDS, seconds
        return f"{type(refusal).__name__} after {seconds:.2f} s: {refusal.body}"
    raise AssertionError("the request was served")


def openai_wrong_key():
    client = chat(WRONG_KEY)
    return refused(lambda: client.chat.completions.create(model="sandbox-small", messages=HELLO), openai.AuthenticationError)


def openai_context_field():
    client = chat()
    seen = refused(
        lambda: client.chat.completions.create(
            model="sandbox-small", messages=[{"role": "user", "content": "word " * 180_000}], max_completion_tokens=4000),
        openai.BadRequestError)
    assert "context_length_exceeded" in seen and "max_tokens" not in seen and "'param': 'messages'" in seen, seen
    return seen


def anthropic_first_block():
    reply = messages().messages.create(model="sandbox-reasoner", max_tokens=512, messages=HELLO)
    assert reply.content[0].text, reply
    assert [block.type for block in reply.content] == ["text"], reply
    return reply.content[0].text


def anthropic_stream():
    with messages().messages.stream(model="sandbox-reasoner", max_tokens=512, messages=HELLO) as stream:
        text = "".join(stream.text_stream)
        final = stream.get_final_message()
    assert text and final.content[0].type == "text", final
    return f"{final.usage.output_tokens} output tokens"


def anthropic_thinking():
    reply = messages().messages.create(
        model="sandbox-reasoner", max_tokens=2048, messages=HELLO, thinking={"type": "enabled", "budget_tokens": 1024})
    assert [block.type for block in reply.content] == ["thinking", "text"], reply
    return reply.content[0].thinking[:80]


def anthropic_wrong_key():
    client = messages(WRONG_KEY)
    return refused(lambda: client.messages.create(model="sandbox-small", max_tokens=16, messages=HELLO), anthropic.AuthenticationError)


if __name__ == "__main__":
    print(globals()[sys.argv[1]]())
