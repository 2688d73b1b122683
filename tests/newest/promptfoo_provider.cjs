// Asks the model of a promptfoo configuration over the interface of OpenAI.
module.exports = class {
  constructor(options) {
    this.config = options.config;
  }
  id() {
    return this.config.model;
  }
  async callApi(prompt) {
    const sent = { model: this.config.model, messages: [{ role: "user", content: prompt }] };
    const answer = await fetch(`${this.config.url}/chat/completions`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(sent),
    });
    const { choices } = await answer.json();
    return { output: choices[0].message.content };
  }
};
