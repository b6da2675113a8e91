"""Writes a tiny llama model that says exactly what its script says: tiny_model.py FILE SCRIPT

Attention and feed-forward weights are zero, so the residual stream is the embedding of the current token, an axis of
its own, and the output matrix sends that axis to the token that follows in the script.
"""
import sys

import numpy as np
from gguf import GGUFWriter, TokenType

CONTEXT_TOKENS = 4096
ROW_ALIGNMENT = 32
FEED_FORWARD = 32
OUTPUT_GAIN = 50.0
SPACE = "\u2581"

TOOLS = (
    "{%- if tools %}{{- '<|im_start|>system\\nYou may call these functions:\\n<tools>' }}"
    "{%- for tool in tools %}{{- '\\n' }}{{- tool | tojson }}{%- endfor %}"
    "{{- '\\n</tools>\\nFor each call, return a json object within <tool_call></tool_call>:\\n"
    "<tool_call>\\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\\n</tool_call><|im_end|>\\n' }}{%- endif %}"
)
ASSISTANT = (
    "{{- '<|im_start|>assistant\\n' }}"
    "{%- if message.reasoning_content %}{{- '<think>\\n' + message.reasoning_content + '\\n</think>\\n\\n' }}{%- endif %}"
    "{{- message.content if message.content else '' }}"
    "{%- for call in (message.tool_calls or []) %}{{- '\\n<tool_call>\\n{\"name\": \"' + call.function.name + '\", \"arguments\": ' }}"
    "{{- call.function.arguments if call.function.arguments is string else (call.function.arguments | tojson) }}"
    "{{- '}\\n</tool_call>' }}{%- endfor %}{{- '<|im_end|>\\n' }}"
)
TEMPLATE = (
    TOOLS
    + "{%- for message in messages %}"
    + "{%- if message.role == 'tool' %}{{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}"
    + "{%- elif message.role == 'assistant' %}" + ASSISTANT
    + "{%- else %}{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{%- endif %}"
    + "{%- endfor %}"
    + "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}"
    + "{%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\\n\\n</think>' }}{%- endif %}{%- endif %}"
)

USER_DEFINED = ["<think>", "</think>", "<tool_call>", "</tool_call>"]
SPECIALS = ["<unk>", "<s>", "<|im_start|>", "<|im_end|>", *USER_DEFINED]
END_OF_TURN = SPECIALS.index("<|im_end|>")
CALL = ["<tool_call>", '\n{"name": "', "get_weather", '", "arguments": ', '{"city": "', "Par", 'is"', "}}\n", "</tool_call>", "<|im_end|>"]

# A prompt that ends in </think>, as the template writes it where thinking is off, is followed by the answer.
# Each begins after the line end of the generation prompt. A piece is one token and occurs once.
SCRIPTS = {
    "plain": ["Hello", " there", ", how", " are", " you?", "<|im_end|>"],
    "thinking": ["<think>", "The", " user", " greets", " me", ".", "</think>", "Hello", " there", ", how", " are", " you?", "<|im_end|>"],
    "tool": ["<think>", "I", " need", " the", " weather", "</think>", *CALL],
}


def spelled(piece):
    return piece if piece in SPECIALS else piece.replace(" ", SPACE)


def kind_of(text):
    if text == "<unk>":
        return TokenType.UNKNOWN
    return TokenType.USER_DEFINED if text in USER_DEFINED else TokenType.CONTROL


def vocabulary(script):
    tokens = [(text, kind_of(text)) for text in SPECIALS]
    tokens += [(f"<0x{byte:02X}>", TokenType.BYTE) for byte in range(256)]
    tokens += [(spelled(piece), TokenType.NORMAL) for piece in script if piece not in SPECIALS]
    return tokens


def matrices(tokens, script):
    ids = {text: number for number, (text, _) in enumerate(tokens)}
    width = -(-len(tokens) // ROW_ALIGNMENT) * ROW_ALIGNMENT + ROW_ALIGNMENT
    embedding = np.zeros((len(tokens), width), dtype=np.float32)
    output = np.zeros((len(tokens), width), dtype=np.float32)
    for number in range(len(tokens)):
        embedding[number, number] = 1.0
    chain = [ids["<0x0A>"], *(ids[spelled(piece)] for piece in script)]
    for current, following in zip(chain, chain[1:]):
        output[following, current] = OUTPUT_GAIN
    if "</think>" not in script:
        output[chain[1], ids["</think>"]] = OUTPUT_GAIN
    return embedding, output


def write_settings(writer, tokens, width):
    writer.add_context_length(CONTEXT_TOKENS)
    writer.add_embedding_length(width)
    writer.add_block_count(1)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(1)
    writer.add_head_count_kv(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(width)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text.encode() for text, _ in tokens])
    writer.add_token_scores([-float(number) for number in range(1, len(tokens) + 1)])
    writer.add_token_types([kind for _, kind in tokens])
    writer.add_bos_token_id(SPECIALS.index("<s>"))
    writer.add_eos_token_id(END_OF_TURN)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(TEMPLATE)


def write_tensors(writer, embedding, output):
    width = embedding.shape[1]
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output.weight", output)
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        writer.add_tensor(f"{name}.weight", np.ones(width, dtype=np.float32))
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        writer.add_tensor(f"blk.0.{name}.weight", np.zeros((width, width), dtype=np.float32))
    for name in ("ffn_gate", "ffn_up"):
        writer.add_tensor(f"blk.0.{name}.weight", np.zeros((FEED_FORWARD, width), dtype=np.float32))
    writer.add_tensor("blk.0.ffn_down.weight", np.zeros((width, FEED_FORWARD), dtype=np.float32))


def write(path, script_name):
    script = SCRIPTS[script_name]
    tokens = vocabulary(script)
    embedding, output = matrices(tokens, script)
    writer = GGUFWriter(path, "llama")
    writer.add_name(f"tiny-{script_name}")
    write_settings(writer, tokens, embedding.shape[1])
    write_tensors(writer, embedding, output)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2])
