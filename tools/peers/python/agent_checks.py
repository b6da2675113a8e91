"""Python clients of the responses format. The first argument names a function; it prints what its user is told."""
import asyncio
import os
import sys

MODEL = os.environ["MODEL"]
QUESTION = "How warm is it, and when?"
RESULTS = {"weather": "18 degrees in Zürich", "clock": "It is noon"}
NOTHING = {"type": "object", "properties": {}, "additionalProperties": False}
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": False}
TOOLS = [
    {"type": "function", "name": name, "description": f"The {name}.", "parameters": parameters, "strict": True}
    for name, parameters in (("weather", CITY), ("clock", NOTHING))
]


def client(max_retries=0):
    import openai
    return openai.OpenAI(max_retries=max_retries)


def forecast_type():
    from pydantic import BaseModel

    class Forecast(BaseModel):
        city: str
        degrees: int

    return Forecast


def seen(response):
    for item in response.output:
        if item.type == "reasoning":
            yield "".join(part.text for part in item.summary)
        elif item.type == "message":
            yield item.content[0].text
        else:
            yield f"{item.name} {item.arguments}"


def two_turns(ask):
    first = ask(input=QUESTION)
    outputs = [
        {"type": "function_call_output", "call_id": item.call_id, "output": RESULTS[item.name]}
        for item in first.output if item.type == "function_call"
    ]
    second = ask(input=outputs, previous_response_id=first.id)
    for response in (first, second):
        assert response.status == "completed" and response.usage.total_tokens > 0, response
        assert float(response.usage.model_extra["svc_tokens_debited"]) > 0, response.usage
    return " | ".join([*seen(first), *seen(second)])


def openai_create(max_retries=0):
    return two_turns(lambda **fields: client(max_retries).responses.create(model=MODEL, tools=TOOLS, **fields))


def openai_stream(max_retries=0):
    def ask(**fields):
        with client(max_retries).responses.stream(model=MODEL, tools=TOOLS, **fields) as stream:
            pieces = [event.delta for event in stream if event.type == "response.output_text.delta"]
            final = stream.get_final_response()
        assert "".join(pieces) == final.output_text, (pieces, final)
        return final
    return two_turns(ask)


def openai_parse():
    return client().responses.parse(model=MODEL, input=QUESTION, text_format=forecast_type()).output_parsed


def openai_parse_stream():
    with client().responses.stream(model=MODEL, input=QUESTION, text_format=forecast_type()) as stream:
        stream.until_done()
        return stream.get_final_response().output_parsed


def openai_create_again():
    return openai_create(max_retries=2)


def openai_stream_again():
    return openai_stream(max_retries=2)


def told(events):
    """The text of events, and the error that ends them."""
    import openai
    text = ""
    try:
        for event in events:
            text += event.delta if event.type == "response.output_text.delta" else ""
    except openai.APIError as error:
        return f"{text}| {type(error).__name__} {error.code}"
    return f"{text}| no error"


def openai_errors():
    """Of a whole response, of a stream's events, and of the helper for streams."""
    asked = {"model": MODEL, "input": QUESTION}

    def whole():
        yield client().responses.create(**asked)

    def events():
        yield from client().responses.create(**asked, stream=True)

    def helper():
        with client().responses.stream(**asked) as stream:
            yield from stream

    return "; ".join(told(ask()) for ask in (whole, events, helper))


def openai_wrong_key():
    import openai
    try:
        client().responses.create(model=MODEL, input=QUESTION)
    except openai.APIStatusError as error:
        return f"{type(error).__name__} {error.status_code} {error.code}"
    return "no error"


def agent(**more):
    from agents import Agent, function_tool, set_tracing_disabled
    set_tracing_disabled(True)

    @function_tool
    def weather(city: str) -> str:
        """The weather."""
        return RESULTS["weather"] if city == "Zürich" else "?"

    @function_tool
    def clock() -> str:
        """The clock."""
        return RESULTS["clock"]

    return Agent(name="Assistant", instructions="Be brief.", model=MODEL, tools=[weather, clock], **more)


def agents_run():
    from agents import Runner
    return Runner.run_sync(agent(), QUESTION).final_output


def agents_stream():
    from agents import Runner

    async def run():
        result = Runner.run_streamed(agent(), QUESTION)
        pieces = [event.data.delta async for event in result.stream_events()
                  if event.type == "raw_response_event" and event.data.type == "response.output_text.delta"]
        assert "".join(pieces).endswith(result.final_output), pieces
        return result.final_output
    return asyncio.run(run())


def agents_error():
    import openai
    from agents import Runner

    async def run():
        pieces = []
        try:
            async for event in Runner.run_streamed(agent(), QUESTION).stream_events():
                if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                    pieces.append(event.data.delta)
        except openai.APIError as error:
            return f"{''.join(pieces)}| {type(error).__name__} {error.code}"
        return f"{''.join(pieces)}| no error"
    return asyncio.run(run())


def agents_output():
    from agents import Runner
    return Runner.run_sync(agent(output_type=forecast_type()), QUESTION).final_output


def pydantic_agent(**more):
    from pydantic_ai import Agent
    made = Agent(f"openai:{MODEL}", instructions="Be brief.", **more)

    @made.tool_plain
    def weather(city: str) -> str:
        """The weather."""
        return RESULTS["weather"] if city == "Zürich" else "?"

    @made.tool_plain
    def clock() -> str:
        """The clock."""
        return RESULTS["clock"]

    return made


def pydantic_run():
    return pydantic_agent().run_sync(QUESTION).output


def pydantic_stream():
    pieces = []

    async def listen(_, events):
        async for event in events:
            pieces.append(getattr(getattr(event, "delta", None), "content_delta", None) or "")
    output = asyncio.run(pydantic_agent().run(QUESTION, event_stream_handler=listen)).output
    assert any(piece and piece in output for piece in pieces), pieces
    return output


def pydantic_error():
    pieces = []

    async def listen(_, events):
        async for event in events:
            part = getattr(event, "part", None) or getattr(event, "delta", None)
            pieces.append(getattr(part, "content", None) or getattr(part, "content_delta", None) or "")
    try:
        asyncio.run(pydantic_agent().run(QUESTION, event_stream_handler=listen))
    except Exception as error:
        return f"{''.join(pieces)}| {type(error).__name__} {error}"
    return f"{''.join(pieces)}| no error"


def pydantic_output():
    from pydantic_ai import NativeOutput
    return pydantic_agent(output_type=NativeOutput(forecast_type())).run_sync(QUESTION).output


if __name__ == "__main__":
    print(globals()[sys.argv[1]]())
