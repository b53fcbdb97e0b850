/** What the emulator plays when it is given no scenario: an agent that renders videos, and a session with it. */
export const BUILT_IN_SCENARIO = `
agents:
  video-agent:
    - when: message
      do:
        - say: I will have that rendered.
        - call:
            tool: render_video
            input: { prompt: '{{text}}' }
        - if: running
          say: The video is being rendered. I will tell you when it is ready.
        - if: completed
          say: 'Your video is ready. {{answer}}'
        - if: failed
          say: 'I am sorry, the video could not be rendered. {{answer}}'
        - if: expired
          say: I am sorry, the renderer did not answer.
    - when: result
      status: completed
      do:
        - say: 'Your video is ready. {{text}}'
    - when: result
      status: failed
      do:
        - say: 'I am sorry, the video could not be rendered. {{text}}'
sessions:
  - id: ses_demo
    agent: video-agent
    title: Demo
`
